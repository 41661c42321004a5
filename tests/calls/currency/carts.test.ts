import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { shippingCallbackToken } from '#shop/payments/wallet/wallet-order.ts'
import { amountsIn, chooseCurrency, mailsOf, plain, totalIn } from '#tests/support/currency/currencies.ts'
import { until } from '#tests/support/payments/bookkeeping.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { dice } from '#tests/support/shared/dice.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const currencies = [
  { code: 'EUR', rate: '0.9217', fee: { value: '2.5' }, rounding: { type: 'up', step: '1', subtract: '0.01' } },
  { code: 'JPY', rate: '149.5', fee: { value: '3' }, rounding: { type: 'up', step: '100', subtract: '1' } },
  { code: 'HUF', rate: '355.48', fee: { type: 'fixed', value: '0.52' } },
  { code: 'TWD', rate: '31.744' },
  { code: 'CHF', rate: '0.8811', rounding: { type: 'nearest', step: '0.05' } },
]
const codes = ['USD', ...currencies.map(({ code }) => code)]

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({
    settings: {
      currencies,
      exchange: { checkoutInShown: true },
      fees: [
        { name: 'Wrapping', amount: '1.95', taxable: true },
        { name: 'Insurance', percent: '1.75', when: { minSubtotal: '50' } },
      ],
    },
  })
  await shop.db.sql`update shipping_methods set settings = '{"cost":"6.90 + [qty] * 0.35"}' where title = 'Standard'`
  await shop.db.sql`insert into shipping_methods (zone_id, method, title, position, settings)
    values (1, 'free_shipping', 'Free', 2, '{"requires":"min_amount","min_amount":"75"}')`
  await shop.db.sql`insert into coupons (code, type, amount_ppm, amount_minor, settings) values
    ('tenth', 'percent', 100000, null, '{}'),
    ('seven', 'fixed_cart', null, 733, '{}'),
    ('each', 'fixed_product', null, 125, '{}'),
    ('rich', 'fixed_cart', null, 500, '{"minimumAmount":10000}'),
    ('poor', 'percent', 50000, null, '{"maximumAmount":3000}'),
    ('one-mug', 'percent', 50000, null, '{"minimumAmount":1200}'),
    ('one-mug-at-most', 'percent', 50000, null, '{"maximumAmount":1200}')`
  await reconfigured(shop)
})
afterAll(() => shop?.close())

/** What a shopper is told after giving the code of a coupon. */
async function couponAnswer(shopper: Shopper, code: string): Promise<string> {
  const html = await shopper.page(urls.cart())
  const security = /"apply_coupon_nonce":"([0-9a-f]+)"/.exec(html)?.[1] ?? ''
  return plain(await (await shopper.post(urls.wcAjax('apply_coupon'), { coupon_code: code, security })).text())
}

type Logged = { operation: string; request?: unknown }
type Asked = { purchase_units: { amount: { currency_code: string; value: string; breakdown?: object } }[] }

describe('carts of all kinds', () => {
  it.each(Array.from({ length: 30 }, (_, index) => [index + 1, codes[index % codes.length] ?? 'USD'] as const))(
    'CUR-07 number %i comes to the same on every page, in messages and at the provider, in %s',
    async (seed, currency) => {
      const roll = dice(seed)
      const shopper = new Shopper(shop, `cart-${seed}`)
      await chooseCurrency(shopper, currency)
      const skus = ['MUG', 'BOWL', 'LATER', 'CARD'].filter(() => roll(2) === 0)
      for (const sku of skus.length > 0 ? skus : ['MUG']) await shopper.add(sku, 1 + roll(3))
      const coupon = ['tenth', 'seven', 'each', ''][roll(4)]
      if (coupon) expect(await couponAnswer(shopper, coupon)).toContain('Coupon code applied successfully.')

      const text = totalIn(await shopper.page(urls.cart()))
      const checkout = await shopper.openCheckout()
      expect(totalIn(checkout)).toBe(text)
      const seen = Number(/name="seen_total" value="(\d+)"/.exec(checkout)?.[1])
      const placed = await shopper.placeOrder()
      const walletOrderId = new URL(placed.redirect ?? '', shop.url).searchParams.get('token') ?? ''
      const orderId = placed.order_id ?? 0
      const log = (await shop.emulate('/log')) as Logged[]
      const asked = log.findLast(({ operation }) => operation === 'orders.create')?.request as Asked
      const { amount } = asked.purchase_units[0] ?? {}
      expect(amount?.currency_code).toBe(currency)
      expect(amount?.breakdown).toBeDefined()
      expect(Number(amount?.value.replace('.', ''))).toBe(seen)

      await shopper.approve(walletOrderId)
      const received = await shopper.returnFromWallet(walletOrderId)
      expect(amountsIn(await shopper.page(received))).toContain(text)
      const [order] = await shop.db.sql`
        select o.total, o.currency, o.payment_state, c.amount as captured from orders o
        join captures c on c.order_id = o.id and c.currency = o.currency where o.id = ${orderId}`
      expect(order).toEqual({ total: seen, currency, payment_state: 'paid', captured: seen })
      await until(`messages about order ${orderId} leave`, async () => (await mailsOf(shop, orderId)).length >= 2)
      for (const mail of await mailsOf(shop, orderId)) expect(mail).toContain(text)
    },
  )

  it('CUR-07 keep every promise, by the books of the provider too', async () => {
    const { db, clock, paypal } = shop.shop.application.tools
    expect(await checkInvariants({ db, clock, paypal })).toEqual([])
  })
})

describe('what a merchant wrote in the shop’s own currency', () => {
  it.each([
    // 99.99 dollars at 0.9217 and 2.5 % are 94.465 euros, and two pieces that end in .99 can be almost two euros dearer.
    ['rich', 'EUR', 'requires a purchase of at least €96.50 ($100.00).'],
    // 100 dollars at 356 forints.
    ['rich', 'HUF', 'requires a purchase of at least Ft\u00a035,600 ($100.00).'],
    ['rich', 'USD', 'requires a purchase of at least $100.00.'],
  ])('CUR-07 the least that coupon %s asks for is told in %s', async (code, currency, told) => {
    const shopper = new Shopper(shop, 'coupons')
    await chooseCurrency(shopper, currency)
    await shopper.add('MUG')
    expect(await couponAnswer(shopper, code)).toContain(told)
  })

  it.each([
    // One mug of twelve dollars, 10.5732 francs, costs 10.55.
    ['one-mug', 'CHF'],
    // And 11.337 euros are 11.99.
    ['one-mug-at-most', 'EUR'],
  ])('CUR-07 the limit of coupon %s is compared before prices are rounded in %s', async (code, currency) => {
    const shopper = new Shopper(shop, `limit-${code}`)
    await chooseCurrency(shopper, currency)
    await shopper.add('MUG')
    expect(await couponAnswer(shopper, code)).toContain('Coupon code applied successfully.')
    expect(await shopper.page(urls.cart())).toContain(`cart-discount coupon-${code}`)
  })

  it('CUR-07 the most that a coupon is for is converted too', async () => {
    const shopper = new Shopper(shop, 'coupons-most')
    await chooseCurrency(shopper, 'JPY')
    await shopper.add('MUG', 3)
    // 30 dollars at 153.985 yen are 4,619; one yen is taken off each price.
    expect(await couponAnswer(shopper, 'poor')).toContain('is valid only for purchases up to ¥4,610 ($30.00).')
  })

  it('CUR-07 free shipping begins at the least in each currency', async () => {
    const shopper = new Shopper(shop, 'free')
    await chooseCurrency(shopper, 'TWD')
    // 75 dollars are 2,380.8 → 2,381; six mugs of 381 are 2,286, seven 2,667.
    await shopper.add('MUG', 6)
    expect(await shopper.page(urls.cart())).not.toContain('free_shipping:')
    await shopper.add('MUG', 1)
    expect(await shopper.page(urls.cart())).toContain('free_shipping:')
  })
})

describe('a provider that asks by itself', () => {
  it('CUR-07 is answered in the currency of the order, though it brings no choice along', async () => {
    const shopper = new Shopper(shop, 'asked')
    await chooseCurrency(shopper, 'HUF')
    const { walletOrderId: id } = await shopper.startExpress()
    const [row] = await shop.db.sql<{ id: number; key: string }[]>`
      select o.id, o.key from orders o join wallet_orders w on w.order_id = o.id where w.id = ${id}`
    const token = shippingCallbackToken(row ?? { id: 0, key: '' })
    const address = { country_code: 'US', admin_area_1: 'NY', admin_area_2: 'New York', postal_code: '10001' }
    const answer = await fetch(shop.url + urls.shippingCallback(token), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, shipping_address: address }),
    })
    const { purchase_units: units } = (await answer.json()) as Asked
    // 12 dollars are 4,272 forints, sending them 2,453 and 125 more for one piece, wrapping 694; New York adds no tax.
    expect(units[0]?.amount).toMatchObject({ currency_code: 'HUF', value: String(4272 + 2581 + 694) })
  })
})
