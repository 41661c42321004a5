import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import { findOrder, findOrderItems } from '#database/orders/orders.ts'
import { nonceFor } from '#server/http/security/nonce.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { orderAsWalletOrder } from '#shop/payments/wallet/wallet-order.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

/** The merchant's rules from the setting to the order. Goods are taxed with 7.25 % in California, shipping is not; Standard costs 6.90. */
let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop.close())
afterEach(async () => {
  const { fees, taxes, shipping, coupons } = shopConfiguration({
    settings: {},
    taxRates: [],
    shippingZones: [],
    rates: [],
  }).settings
  await set({ fees, taxes, shipping, coupons })
  await shop.db.sql`delete from shipping_methods where instance_id > 2`
  await shop.db.sql`delete from shipping_zones where id > 1`
  await reread()
})

/** Settings are told to the process by a notification: this waits until it has heard. */
async function set(settings: Record<string, unknown>): Promise<void> {
  await writeSettings(shop.db, settings)
  await reread()
}

async function reread(): Promise<void> {
  const version = `${Math.random()}`
  await writeSettings(shop.db, { tagline: version })
  while (shop.shop.application.tools.settings.tagline !== version) await sleep(5)
}

/** What is read: tags gone, and no gaps where they only divided a figure. */
const text = (html: string) =>
  html
    .replace(/<script.*?<\/script>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?<=[$(]) | (?=[),:])|(?<=-) (?=\$)/g, '')
    .trim()
/** Every row of the totals as its class and its words. */
const rowsIn = (html: string) =>
  [
    ...html.matchAll(/<tr class="((?:cart-subtotal|cart-discount|fee|tax-|order-total|shipping)[^"]*)">(.*?)<\/tr>/gs),
  ].map(([, name, row = '']) => `${name}: ${text(row)}`)

async function withCart(lines: Record<string, number>, name?: string): Promise<Shopper> {
  const shopper = new Shopper(shop, name)
  for (const [sku, quantity] of Object.entries(lines)) await shopper.add(sku, quantity)
  return shopper
}

const nonce = (shopper: Shopper, action: string) =>
  nonceFor(
    shop.shop.application.secret,
    action,
    sha256(shopper.cookie('sid') ?? ''),
    shop.shop.application.tools.clock.now(),
  )

async function review(shopper: Shopper, fields: Record<string, string>): Promise<Record<string, string>> {
  const place = { country: 'US', state: 'CA', postcode: '95131', city: 'San Jose' }
  const answer = await shopper.post(urls.wcAjax('update_order_review'), {
    security: nonce(shopper, 'update-order-review'),
    ...place,
    ...Object.fromEntries(Object.entries(place).map(([key, value]) => [`s_${key}`, value])),
    has_full_address: 'true',
    ...fields,
  })
  const { fragments } = (await answer.json()) as { fragments: Record<string, string> }
  return fragments
}

const itemsOf = (orderId: number | undefined, type: string) =>
  shop.db.sql<
    { name: string; total: number; total_tax: number }[]
  >`select name, total, total_tax from order_items where order_id = ${orderId ?? 0} and type = ${type} order by position`

const broken = async () => {
  const { clock, paypal } = shop.shop.application.tools
  return checkInvariants({ db: shop.db, clock, paypal })
}

describe('fees', () => {
  const fees = [
    { name: 'Gift wrap', amount: '2.50' },
    { name: 'Handling of cash', percent: 2.9, taxable: false, when: { paymentMethod: 'cod' } },
    { name: 'Rebate', amount: '-5', when: { minSubtotal: '20', country: 'US:CA' } },
    { name: 'Not here', amount: '9', when: { country: 'DE' } },
    { name: 'Not for so much', amount: '9', when: { maxSubtotal: '23.99' } },
  ]

  it('I6 I7 stand on the cart and the checkout, follow the way of paying, and are in order, page, message and breakdown', async () => {
    await set({ fees })
    const shopper = await withCart({ MUG: 2 })
    // Goods 24.00, tax 1.74; wrap 2.50 + 0.18; rebate −5.00 with −0.3625 of tax: 24 + 6.90 + 2.50 − 5 + 1.74 + 0.18 − 0.36.
    expect(rowsIn(await shopper.page('/cart/'))).toEqual([
      'cart-subtotal: Subtotal $24.00',
      'fee: Gift wrap $2.50',
      'fee: Rebate \u2212 $5.00',
      'tax-rate tax-rate-us-ca-sales-tax-1: Sales tax (estimated for United States) $1.56',
      'order-total: Total $29.96',
    ])
    const checkout = await shopper.openCheckout()
    expect(checkout).toMatch(/<ul class="wc_payment_methods[^"]* update_totals_on_change"/)

    // 2.9 % of 24.00 are 0.696. The untaxed share of the rebate (0.70 of 34.10) is too small to be seen in its tax: −0.35506.
    const fragments = await review(shopper, { payment_method: 'cod' })
    expect(rowsIn(fragments['.woocommerce-checkout-review-order-table'] ?? '')).toEqual([
      'cart-subtotal: Subtotal $24.00',
      'fee: Gift wrap $2.50',
      'fee: Handling of cash $0.70',
      'fee: Rebate \u2212 $5.00',
      'tax-rate tax-rate-us-ca-sales-tax-1: Sales tax $1.56',
      'order-total: Total $30.66',
    ])
    const placed = await shopper.placeOrder('cod')
    expect(placed.result).toBe('success')
    expect((await itemsOf(placed.order_id, 'fee')).map(Object.values)).toEqual([
      ['Gift wrap', 250, 18],
      ['Handling of cash', 70, 0],
      ['Rebate', -500, -36],
    ])
    const received = text(await shopper.page(placed.redirect ?? ''))
    expect(received).toMatch(/Gift wrap \$2\.50 .*Handling of cash \$0\.70 .*Rebate − \$5\.00 .*Sales tax \$1\.56/)
    expect(received).toMatch(/Total \$30\.66/)

    const payer = await withCart({ MUG: 2 }, 'bob')
    await payer.openCheckout()
    // The provider has taken it, so its parts make the amount; these are the parts.
    const { orderId } = startedOf(await payer.placeOrder())
    const { tools } = shop.shop.application
    const order = await findOrder(shop.db.kysely, orderId)
    const items = await findOrderItems(shop.db.kysely, orderId)
    if (!order) throw new Error('the order is gone')
    const presentation = { shippingPreference: 'NO_SHIPPING', userAction: 'PAY_NOW' } as const
    expect((await orderAsWalletOrder(tools, order, items, 1, presentation)).purchase_units[0]?.amount).toMatchObject({
      value: '29.96',
      breakdown: {
        item_total: { value: '24.00' },
        tax_total: { value: '1.56' },
        shipping: { value: '6.90' },
        discount: { value: '2.50' },
      },
    })
    expect(await broken()).toEqual([])
  })

  it('one that the currency cannot express is charged to nobody, and named', async () => {
    await set({
      fees: [
        { name: 'Too fine', amount: '0.005' },
        { name: 'Fine', amount: 1 },
      ],
    })
    const shopper = await withCart({ CARD: 1 })
    expect(rowsIn(await shopper.page('/cart/'))).toEqual([
      'cart-subtotal: Subtotal $25.00',
      'fee: Fine $1.00',
      'tax-rate tax-rate-us-ca-sales-tax-1: Sales tax $0.07',
      'order-total: Total $26.07',
    ])
    expect(shopConfiguration(await readConfiguration(shop.db)).faults).toEqual([
      { rule: 'fees[0] "Too fine"', problem: 'amount: "0.005" is written with more decimals than there are' },
    ])
  })
})

describe('taxes', () => {
  it('prices with tax: listing, product, cart and order say what they hold', async () => {
    await set({
      taxes: { displayShop: 'incl', displayCart: 'incl', itemised: false, priceSuffix: '({price_excluding_tax} net)' },
    })
    // 12.00 + 7.25 % = 12.87
    const shopper = await withCart({ MUG: 2 })
    const product = await shopper.page('/product/plain-mug/')
    const price = /<p class="price">(.*?)<\/p>/s.exec(product)?.[1] ?? ''
    expect(text(price)).toMatch(/^\$12\.87 \(\$12\.00 net\)$/)
    expect(price).toContain('<small class="woocommerce-price-suffix">')
    expect(text(await shopper.page('/shop/?orderby=price'))).toMatch(/Plain mug \$12\.87 \(\$12\.00 net\)/)

    const cart = await shopper.page('/cart/')
    expect(rowsIn(cart)).toEqual([
      'cart-subtotal: Subtotal $25.74 (incl. tax)',
      'order-total: Total $32.64 (includes $1.74 Tax estimated for United States)',
    ])
    await shopper.openCheckout()
    const order = await shopper.placeOrder('cod')
    const received = text(await shopper.page(order.redirect ?? ''))
    expect(received).toMatch(/Subtotal \$25\.74 Shipping: Standard \$6\.90 /)
    expect(received).toMatch(/Total \$32\.64 \(includes \$1\.74 Tax\)/)
  })

  it('prices without tax: one sum or a row for each rate', async () => {
    await set({ taxes: { itemised: false } })
    const shopper = await withCart({ MUG: 2 })
    expect(rowsIn(await shopper.page('/cart/'))).toContain('tax-total: Tax (estimated for United States) $1.74')
  })

  it('shipping is taxed by its own class, and each rate shows its own tax', async () => {
    await shop.db.sql`insert into tax_rates (country, state, rate_ppm, name, shipping, class)
      values ('US', '', 100000, 'Freight', true, 'freight')`
    await set({ taxes: { displayCart: 'incl', shippingClass: 'freight' } })
    const cart = text(await (await withCart({ MUG: 2 })).page('/cart/'))
    // 6.90 + 10 %, 15.00 + 10 %; goods 24.00 + 1.74.
    expect(cart).toMatch(/Standard: \$7\.59 \(incl\. tax\) Express: \$16\.50 \(incl\. tax\)/)
    expect(cart).toMatch(/Total \$33\.33 \(includes \$1\.74 Sales tax, \$0\.69 Freight/)
    await shop.db.sql`delete from tax_rates where class = 'freight'`
  })

  it('who is exempt pays none', async () => {
    const shopper = await withCart({ MUG: 2 })
    await shop.db.sql`update sessions set state = jsonb_set(state, '{vatExempt}', 'true')
      where id = ${sha256(shopper.cookie('sid') ?? '')}`
    expect(rowsIn(await shopper.page('/cart/'))).toEqual([
      'cart-subtotal: Subtotal $24.00',
      'order-total: Total $30.90',
    ])
  })

  it('I6 rounded at the subtotal, the rows of an order still make its total', async () => {
    await set({ taxes: { roundAtSubtotal: true } })
    const shopper = await withCart({ BOWL: 1, LATER: 1 })
    // 1.12375 + 1.8125 = 2.93625; rounded a line it would be 2.93.
    expect(rowsIn(await shopper.page('/cart/')).at(-1)).toBe('order-total: Total $50.34')
    await shopper.openCheckout()
    const placed = await shopper.placeOrder('cod')
    const rows = [...(await itemsOf(placed.order_id, 'line_item')), ...(await itemsOf(placed.order_id, 'shipping'))]
    expect(rows.map(({ total, total_tax }) => [total, total_tax])).toEqual([
      [1550, 113],
      [2500, 181],
      [690, 0],
    ])
    expect((await itemsOf(placed.order_id, 'tax')).map(({ total }) => total)).toEqual([294])
    expect(await broken()).toEqual([])
  })

  it('what is collected is taxed where the shop is, unless the merchant says otherwise', async () => {
    await shop.db.sql`insert into shipping_methods (zone_id, method, title, position, settings)
      values (1, 'local_pickup', 'Collect', 9, '{}')`
    await shop.db.sql`update shipping_methods set enabled = false where instance_id < 3`
    await reread()
    const inNewYork = { state: 'NY', postcode: '10001', city: 'New York' }
    const there = { ...inNewYork, s_state: 'NY', s_postcode: '10001', s_city: 'New York' }
    const shopper = await withCart({ MUG: 2 })
    const totals = async () =>
      rowsIn((await review(shopper, there))['.woocommerce-checkout-review-order-table'] ?? '').at(-1)
    expect(await totals()).toBe('order-total: Total $25.74')
    await set({ taxes: { localPickupAtBase: false } })
    expect(await totals()).toBe('order-total: Total $24.00')
    await shop.db.sql`update shipping_methods set enabled = true`
  })
})

describe('shipping', () => {
  it('costs wait for an address where the merchant wants that', async () => {
    await set({ shipping: { hideUntilAddress: true } })
    const shopper = await withCart({ MUG: 2 })
    const cart = await shopper.page('/cart/')
    expect(cart).not.toContain('name="shipping_method[0]"')
    expect(cart).toContain('<tr class="shipping">')
    expect(rowsIn(cart).at(-1)).toBe('order-total: Total $25.74')
    const fragments = await review(shopper, {})
    expect(fragments['.woocommerce-checkout-review-order-table']).toContain('name="shipping_method[0]"')
  })

  it('a shop that ships nothing asks for nothing', async () => {
    await set({ shipping: { enabled: false } })
    const cart = await (await withCart({ MUG: 2 })).page('/cart/')
    expect(cart).not.toMatch(/tr class="[^"]*shipping/)
    expect(rowsIn(cart).at(-1)).toBe('order-total: Total $25.74')
  })

  it('zones reach a continent, weigh parcels, and hide other rates behind a free one', async () => {
    await shop.db.sql`insert into shipping_zones (id, name, zone_order, continents) values (2, 'Europe', 2, '{EU}')`
    await shop.db.sql`insert into shipping_methods (zone_id, method, title, position, settings) values
      (2, 'flat_rate', 'By weight', 0, '{"cost":"4 + [weight] * 2.5"}'),
      (2, 'free_shipping', 'Free', 1, '{"requires":"min_amount","min_amount":"24"}')`
    await reread()
    const inBerlin = { country: 'DE', state: '', postcode: '10115', city: 'Berlin' }
    const there = {
      ...inBerlin,
      ...Object.fromEntries(Object.entries(inBerlin).map(([key, value]) => [`s_${key}`, value])),
    }
    const shopper = await withCart({ MUG: 2 })
    const methods = async () => {
      const html = (await review(shopper, there))['.woocommerce-checkout-review-order-table'] ?? ''
      return [...html.matchAll(/<label for="shipping_method_0[^"]*">(.*?)<\/label>/gs)].map(([, label = '']) =>
        text(label),
      )
    }
    // Two mugs of 400 g: 4 + 0.8 × 2.50.
    expect(await methods()).toEqual(['By weight: $6.00', 'Free'])
    await set({ shipping: { hideOthersWhenFree: true } })
    expect(await methods()).toEqual(['Free'])
  })

  it('a formula that cannot be worked out offers no rate, breaks no cart, and is named', async () => {
    const formulas = ['1/0', '[qty', '9'.repeat(10_000), 'process.exit()', '1 / ([qty] - 2)']
    for (const cost of formulas) {
      await shop.db.sql`insert into shipping_methods (zone_id, method, title, position, settings)
        values (1, 'flat_rate', 'Garbage', 5, ${shop.db.sql.json({ cost })})`
    }
    await shop.db.sql`insert into shipping_methods (zone_id, method, title, position, settings)
      values (1, 'free_shipping', 'Garbage', 5, '{"requires":"min_amount","min_amount":"fifty"}')`
    await reread()
    const shopper = await withCart({ MUG: 2 })
    const response = await shopper.request('/cart/')
    expect(response.status).toBe(200)
    expect(await response.text()).not.toContain('Garbage')
    const { faults } = shopConfiguration(await readConfiguration(shop.db))
    expect(faults.map(({ problem }) => problem)).toEqual([
      'cost: divides by zero',
      'cost: cannot be read from "[qty" on (character 1)',
      'cost: longer than 500 characters',
      'cost: cannot be read from "process.exit()" on (character 1)',
      'minimum: "fifty" is no amount in USD',
    ])
  })
})

describe('stock', () => {
  it('is sold out from the pieces on that the merchant keeps back, in carts and in listings', async () => {
    const statusOf = async (sku: string) =>
      (await shop.db.sql`select stock_status from products where sku = ${sku}`)[0]?.stock_status
    const statuses = (...skus: string[]) => expect.poll(() => Promise.all(skus.map(statusOf)), { timeout: 15_000 })
    const [bowl] = await shop.db.sql`select stock_quantity from products where sku = 'BOWL'`
    const there = Number(bowl?.stock_quantity)
    await set({ outOfStockAmount: there })
    await expect(withCart({ BOWL: 1 })).rejects.toThrow('does not sell')
    await statuses('BOWL', 'SHIRT-SAND', 'SHIRT').toEqual(['outofstock', 'outofstock', 'outofstock'])
    expect(await statusOf('LATER')).toBe('onbackorder')

    // All but two are kept back: those two are sold, and with them it is sold out.
    await set({ outOfStockAmount: there - 2 })
    await statuses('BOWL').toEqual(['instock'])
    const shopper = await withCart({ BOWL: 2 })
    await shopper.openCheckout()
    expect((await shopper.placeOrder('cod')).result).toBe('success')
    expect(await statusOf('BOWL')).toBe('outofstock')
    await set({ outOfStockAmount: 0 })
    await statuses('BOWL', 'SHIRT').toEqual(['instock', 'instock'])
  })
})

describe('coupons', () => {
  const apply = (shopper: Shopper, code: string) =>
    shopper.post(urls.wcAjax('apply_coupon'), {
      security: nonce(shopper, 'apply-coupon'),
      coupon_code: code,
      billing_email: shopper.email,
    })

  it('I5 one that each may use once is used once, however many orders are placed at the same moment', async () => {
    await shop.db.sql`insert into coupons (code, type, amount_ppm, settings)
      values ('once-each', 'percent', 100000, '{"usageLimitPerUser":1}')`
    const tabs = await Promise.all([0, 1, 2, 3].map(() => withCart({ BOWL: 1 }, 'same-person')))
    for (const tab of tabs) {
      await tab.openCheckout()
      expect(await (await apply(tab, 'once-each')).text()).toContain('Coupon code applied')
      await tab.openCheckout()
    }
    const answers = await Promise.all(tabs.map((tab) => tab.placeOrder('cod')))
    expect(answers.filter(({ result }) => result === 'success')).toHaveLength(1)
    const [coupon] = await shop.db.sql`select used from coupons where code = 'once-each'`
    expect(coupon?.used).toBe(1)
    expect(await broken()).toEqual([])
  })

  it('percent coupons work in turn where the merchant wants that', async () => {
    await shop.db
      .sql`insert into coupons (code, type, amount_ppm) values ('half', 'percent', 500000), ('other-half', 'percent', 500000)`
    const shopper = await withCart({ MUG: 2 })
    await apply(shopper, 'half')
    await apply(shopper, 'other-half')
    expect(rowsIn(await shopper.page('/cart/')).at(-1)).toBe('order-total: Total $6.90')
    await set({ coupons: { sequential: true } })
    // 24.00 − 12.00 − 6.00 = 6.00, tax 0.435, shipping 6.90.
    expect(rowsIn(await shopper.page('/cart/')).at(-1)).toBe('order-total: Total $13.34')
  })
})
