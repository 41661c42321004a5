import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreCartRecord } from '#contract/cart/store-cart.ts'
import type { StoreProductRecord } from '#contract/catalog/store-products.ts'
import type { StoreCheckoutRecord } from '#contract/checkout/store-checkout.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { orderOf } from '#tests/support/payments/bookkeeping.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { StoreClient, storeAddress } from '#tests/support/rest/store-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const currencies = [
  { code: 'EUR', rate: '0.9', position: 'right_space', rounding: { type: 'up', step: '1', subtract: '0.01' } },
  { code: 'JPY', rate: '150' },
  // Shown only.
  { code: 'GBP', rate: '0.8', checkout: false },
]
const settings = {
  currencies,
  exchange: { checkoutInShown: true },
  payments: { cod: { enabled: true } },
}

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings })
})
afterAll(() => shop.close())

const set = async (more: object) => {
  await writeSettings(shop.db, { ...settings, taxes: {}, fees: [], ...more })
  await reconfigured(shop)
}

async function cartIn(currency: string): Promise<{ client: StoreClient; cart: StoreCartRecord }> {
  const client = new StoreClient(shop)
  client.more.cookie = `currency=${currency}`
  await client.begin()
  await client.post('cart/add-item', { id: await shop.idOf('MUG') })
  const billing = { ...storeAddress, email: `${currency.toLowerCase()}@example.test` }
  const { body } = await client.post<StoreCartRecord>('cart/update-customer', { billing_address: billing })
  return { client, cart: body }
}

describe('amounts of the Store API', () => {
  it('are in the currency that the visitor has chosen, and an order charges what its cart showed', async () => {
    const { client, cart } = await cartIn('EUR')
    // 10.80 → 11 − 0.01; shipping 6.21; tax 7.25 % of 10.99 = 0.80
    expect(cart.totals).toMatchObject({
      total_items: '1099',
      total_shipping: '621',
      total_tax: '80',
      total_price: '1800',
      currency_code: 'EUR',
    })
    expect(cart.items[0]?.prices).toMatchObject({ price: '1099', currency_code: 'EUR' })
    const product = await client.get<StoreProductRecord>('products/plain-mug')
    expect(product.body.prices).toMatchObject({ price: '1099', currency_code: 'EUR', currency_minor_unit: 2 })
    const { body } = await client.post<StoreCheckoutRecord>('checkout', { payment_method: 'cod' })
    expect(await orderOf(shop, body.order_id)).toMatchObject({ currency: 'EUR', total: 1800, base_total: 2000 })
    const order = await client.get<{ totals: object }>(`order/${body.order_id}`)
    expect(order.body.totals).toMatchObject({ total_price: '1800', currency_code: 'EUR' })
  })

  it('have no decimals in a currency without them', async () => {
    const { cart } = await cartIn('JPY')
    expect(cart.totals).toMatchObject({ total_items: '1800', currency_minor_unit: 0, currency_symbol: '¥' })
    expect(cart.items[0]?.prices.raw_prices).toMatchObject({ precision: 6, price: '1800000000' })
  })

  it('are charged in the shop’s own currency where the chosen one is for display only', async () => {
    const { client, cart } = await cartIn('GBP')
    expect(cart.totals.currency_code).toBe('GBP')
    const { body } = await client.post<StoreCheckoutRecord>('checkout', { payment_method: 'cod' })
    expect(await orderOf(shop, body.order_id)).toMatchObject({ currency: 'USD', total: 1977 })
  })

  it('show prices with or without tax as the shop and the cart do, and the same totals either way', async () => {
    const { cart: plain } = await cartIn('USD')
    expect(plain.items[0]?.prices.price).toBe('1200')
    await set({ taxes: { displayShop: 'incl', displayCart: 'incl' } })
    const { client, cart } = await cartIn('USD')
    expect(cart.items[0]?.prices.price).toBe('1287')
    expect((await client.get<StoreProductRecord>('products/plain-mug')).body.prices.price).toBe('1287')
    expect(cart.totals).toEqual(plain.totals)
    expect(cart.totals.tax_lines).toEqual([{ name: 'Sales tax', price: '87', rate: '7.25%' }])
    expect(cart.items[0]?.totals).toMatchObject({ line_subtotal: '1200', line_subtotal_tax: '87' })
    const [taxed] = (await client.get<StoreProductRecord[]>('products?min_price=1280&max_price=1290&type=simple')).body
    expect(taxed?.sku).toBe('MUG')
    await set({ taxes: { displayShop: 'excl', displayCart: 'incl' } })
    const mixed = await cartIn('USD')
    expect(mixed.cart.items[0]?.prices.price).toBe('1287')
    expect((await mixed.client.get<StoreProductRecord>('products/plain-mug')).body.prices.price).toBe('1200')
    await set({})
  })

  it('name fees and discounts, which add up to the total', async () => {
    await set({ fees: [{ name: 'Wrapping', amount: '2.00', taxable: false }] })
    await shop.db.sql`insert into coupons (code, type, amount_minor) values ('five', 'fixed_cart', 500)`
    const { client } = await cartIn('USD')
    const { body } = await client.post<StoreCartRecord>('cart/apply-coupon', { code: 'five' })
    expect(body.fees).toMatchObject([{ key: 'wrapping', name: 'Wrapping', totals: { total: '200', total_tax: '0' } }])
    const { total_items: items, total_fees: fees, total_shipping: shipping, total_discount: discount } = body.totals
    const sum = Number(items) + Number(fees) + Number(shipping) + Number(body.totals.total_tax) - Number(discount)
    expect(String(sum)).toBe(body.totals.total_price)
    await set({})
  })
})
