import { afterAll, beforeAll, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: { paypal: { messages: { product: { enabled: true } } } } })
})
afterAll(() => shop?.close())

/** What the page's scripts are told of the product that is paid by wallet, or in instalments. */
const told = async (slug: string) =>
  /"product":\{"id":\d+/.test(await (await fetch(`${shop.url}/product/${slug}/`)).text())

it('MSG-01 PROD-07 what is bought in another shop is not offered in instalments of this one', async () => {
  expect(await told('plain-mug')).toBe(true)
  expect(await told('a-book-elsewhere')).toBe(false)
})
