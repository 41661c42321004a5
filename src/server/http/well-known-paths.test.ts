import { expect, it } from 'vitest'
import { usualPath } from './well-known-paths.ts'

it.each([
  ['/shop', '/shop/'],
  ['/Product/Vase/', '/product/vase/'],
  ['/product//vase', '/product/vase/'],
  ['/product/Caf%C3%89', '/product/caf%C3%A9/'],
  ['/Robots.txt', '/robots.txt'],
  ['/robots.txt/', '/robots.txt'],
  ['/product-category/ceramics', '/product-category/ceramics/'],
  ['/product/vase-2.0', '/product/vase-2.0/'],
])('%s is usually written %s', (path, usual) => {
  expect(usualPath(path)).toBe(usual)
})

it.each([
  '/',
  '/shop/',
  '/product/caf%C3%A9/',
  '/robots.txt',
  '/wp-json',
  '/Media/x',
  '/assets/Main.js',
  '/a%2Fb',
  '/%ff',
  '/download/Abc',
])('%s is left as it is', (path) => {
  expect(usualPath(path)).toBeNull()
})
