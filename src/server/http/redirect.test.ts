import { describe, expect, it } from 'vitest'
import { refererPath } from './redirect.ts'

const back = (referer: string | null, posted?: unknown, address = 'http://shop.example/cart/?remove_item=1') =>
  refererPath(new Request(address, referer === null ? {} : { headers: { referer } }), posted, '/cart/', ['remove_item'])

describe('the way back', () => {
  it('is the page that the form or link came from, without what made the change', () => {
    expect(back('http://shop.example/shop/?orderby=price&remove_item=1')).toBe('/shop/?orderby=price')
    expect(back(null, '/product/plain-mug/?attribute_pa_colour=sand')).toBe(
      '/product/plain-mug/?attribute_pa_colour=sand',
    )
    expect(back('http://shop.example/a/', '/b/')).toBe('/b/')
    expect(back(null)).toBe('/cart/')
  })

  it('is found behind a proxy that ends https', () => {
    expect(back('https://shop.example/shop/')).toBe('/shop/')
  })

  it('is never a call', () => {
    expect(back('http://shop.example/?wc-ajax=checkout')).toBe('/cart/')
  })
})
