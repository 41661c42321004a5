import { expect, it } from 'vitest'
import { linksIn } from './localize-links.ts'

const german = { path: (path: string) => (path.startsWith('/de/') ? path : `/de${path}`) }
const english = { path: (path: string) => path }

it.each([
  ['<a class="x" href="/cart/">', '<a class="x" href="/de/cart/">'],
  ['<a href="/?s=a&amp;post_type=product">', '<a href="/de/?s=a&amp;post_type=product">'],
  [
    '<form action="/cart/" method="post"><button formAction="/pay/">',
    '<form action="/de/cart/" method="post"><button formAction="/de/pay/">',
  ],
  ['<p>see <a id="y" href="/terms/#two">', '<p>see <a id="y" href="/de/terms/#two">'],
])('%s becomes %s', (html, led) => {
  expect(linksIn(html, german)).toBe(led)
  expect(linksIn(led, german)).toBe(led)
  expect(linksIn(html, english)).toBe(html)
})

it.each([
  '<a href="/cart/" hrefLang="en-US">',
  '<a hreflang="en-US" lang="en-US" href="/cart/">',
  '<a href="https://elsewhere.example/">',
  '<a href="//elsewhere.example/">',
  '<a href="#main">',
  '<a href="?add-to-cart=1">',
  '<img src="/media/x.webp">',
  '<code>&lt;a href="/cart/"&gt;</code>',
  'a href="/cart/"',
  '<a href="/cart/"',
])('%s stays', (html) => {
  expect(linksIn(html, german)).toBe(html)
})
