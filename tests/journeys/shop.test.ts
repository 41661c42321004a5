import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop.close())

describe('the shop', () => {
  it('answers its pages', async () => {
    for (const path of ['/', '/shop/', '/product/plain-mug/', '/cart/']) {
      expect((await fetch(shop.url + path)).status, path).toBe(200)
    }
  })
})
