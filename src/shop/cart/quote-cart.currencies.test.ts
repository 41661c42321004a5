import { describe, expect, it } from 'vitest'
import { currencySetting } from '#contract/currency/settings.ts'
import { shopSettings } from '#contract/shared/settings.ts'
import type { CartProduct } from '#database/cart/cart-products.ts'
import type { OrderItemRow, OrderRow } from '#database/orders/orders.ts'
import { settleTotals } from '#domain/cart/settle-totals.ts'
import { type Exchange, exchangeOf, noExchange } from '#domain/currency/exchange.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { formatAmount } from '#domain/money/format-amount.ts'
import { isPayableCurrency } from '#paypal/amounts.ts'
import { purchaseUnit } from '#paypal/wallet-order-body.ts'
import { dice } from '#tests/support/shared/dice.ts'
import { couponIn } from '../coupons/read-coupons.ts'
import { exchangeRule } from '../currency/offered-currencies.ts'
import { emptyAddress, emptySession, type SessionState } from '../customers/sessions/session-state.ts'
import { shopConfiguration } from '../operations/settings/shop-configuration.ts'
import { orderFigures, orderItems } from '../orders/order-from-quote.ts'
import { orderFacts } from '../orders/read-order.ts'
import { walletFacts } from '../payments/wallet/wallet-order.ts'
import type { Tools } from '../shared/tools.ts'
import { interfaceTranslator } from '../translation/translator.ts'
import { describeCart } from './describe-cart.ts'
import { quoteOf, workOutCart } from './quote-cart.ts'

/** Twenty thousand with `CARTS=20000`, which takes a minute or two. */
const carts = Number(process.env.CARTS ?? 1000)

const own = 'USD'
const others = [
  { code: 'EUR', rate: '0.9217', fee: { value: '2.5' }, rounding: { type: 'up', step: '1', subtract: '0.01' } },
  { code: 'GBP', rate: '0.7863' },
  { code: 'CHF', rate: '0.8811', rounding: { type: 'nearest', step: '0.05' } },
  { code: 'JPY', rate: '149.5', fee: { value: '3' }, rounding: { type: 'up', step: '100', subtract: '1' } },
  { code: 'HUF', rate: '355.48', fee: { type: 'fixed', value: '0.52' } },
  { code: 'TWD', rate: '31.744', rounding: { type: 'down', step: '5' } },
  { code: 'PLN', rate: '3.987654321' },
  { code: 'SEK', rate: '10.4417', rounding: { type: 'nearest', step: '5', subtract: '0.1' } },
  { code: 'CAD', rate: '1.36', fee: { type: 'fixed', value: '0.01' } },
  { code: 'KWD', rate: '0.3071' },
  { code: 'INR', rate: '83.2519', rounding: { type: 'down', step: '1', subtract: '0.5' } },
]
const exchanges: readonly Exchange[] = [
  noExchange(own),
  ...others.map((entry) => exchangeOf(own, exchangeRule(currencySetting.parse(entry), entry.rate))),
]

const shippingZones = shopConfiguration({
  settings: {},
  taxRates: [],
  rates: [],
  shippingZones: [
    {
      ...{ id: 1, name: 'here', zone_order: 1, countries: ['US'], continents: [], postcodes: [] },
      methods: [
        ['flat_rate', { cost: '6.90 + [qty] * 0.35', classCosts: { bulky: '12.5' } }],
        ['flat_rate', { cost: '[fee percent="4.5" min_fee="3.3" max_fee="40"]', taxable: false }],
        ['free_shipping', { requires: 'min_amount', min_amount: '75' }],
        ['local_pickup', { cost: '1.25' }],
      ].map(([method, settings], position) => ({
        ...{ instance_id: position + 1, zone_id: 1, title: `way ${position}`, enabled: true, position },
        // Justifies the casts: written a few lines above.
        ...{ method: method as 'flat_rate', settings: settings as object as Record<string, never> },
      })),
    },
  ],
}).shippingZones

const rate = (id: number, ppm: number, change: object = {}) => ({
  ...{ id, country: 'US', state: '', postcodes: [], cities: [], ratePpm: ppm, name: `tax ${id}`, priority: id },
  ...{ compound: false, shipping: true, class: '', ...change },
})
const taxRates = [
  rate(1, 72_500, { shipping: false }),
  rate(2, 13_370, { compound: true }),
  rate(3, 50_000, { class: 'reduced', priority: 1 }),
]

type Roll = (sides: number) => number
const percent = (roll: Roll, chance: number) => roll(100) < chance

function aProduct(id: number, roll: Roll): CartProduct {
  const regularPrice = percent(roll, 4) ? 0 : percent(roll, 20) ? roll(200) : roll(60_000)
  return {
    ...{ id, parentId: null, type: 'simple', name: `thing ${id}`, slug: `thing-${id}`, sku: `S${id}` },
    ...{ status: 'publish', regularPrice, salePrice: percent(roll, 25) ? roll(regularPrice + 1) : null },
    ...{ saleFrom: null, saleTo: null, taxStatus: percent(roll, 90) ? 'taxable' : 'none' },
    ...{ taxClass: percent(roll, 30) ? 'reduced' : '', stockOwner: null, stockQuantity: null, reservedByOthers: 0 },
    ...{ backorders: 'no', stockStatus: 'instock', soldIndividually: false, virtual: percent(roll, 15) },
    ...{ downloadable: false, keepsMethod: false, weightGrams: roll(3000), lengthMm: null, widthMm: null },
    ...{ heightMm: null, shippingClass: percent(roll, 15) ? 'bulky' : '', categoryIds: [roll(4)], image: null },
    ...{ attributes: [], chosen: {} },
  }
}

function aCoupon(id: number, roll: Roll) {
  const type = (['percent', 'fixed_cart', 'fixed_product'] as const)[roll(3)] ?? 'percent'
  return {
    ...{ id, code: `c${id}`, type, amount_ppm: roll(1_000_001), amount_minor: roll(5000) },
    settings: {
      ...(percent(roll, 20) ? { limitToItems: 1 + roll(4) } : {}),
      excludeSaleItems: percent(roll, 20),
      freeShipping: percent(roll, 10),
    },
    ...{ expires_at: null, usage_limit: null, used: 0 },
  }
}

/** Generates a cart and its shop from a seed. */
function aCart(seed: number) {
  const roll = dice(seed)
  const products = Array.from({ length: 1 + roll(6) }, (_, index) => aProduct(index + 1, roll))
  const coupons = percent(roll, 50) ? Array.from({ length: 1 + roll(2) }, (_, index) => aCoupon(index + 1, roll)) : []
  const settings = shopSettings.parse({
    currency: own,
    base: { country: 'US', state: 'CA' },
    taxes: {
      enabled: percent(roll, 85),
      pricesIncludeTax: percent(roll, 40),
      roundAtSubtotal: percent(roll, 25),
      displayCart: percent(roll, 40) ? 'incl' : 'excl',
      itemised: percent(roll, 50),
      classes: ['reduced'],
    },
    coupons: { sequential: percent(roll, 30) },
    payments: { bacs: { enabled: true } },
    fees: [
      ...(percent(roll, 40) ? [{ name: 'wrapping', amount: '1.95', taxable: percent(roll, 50) }] : []),
      ...(percent(roll, 25) ? [{ name: 'insurance', percent: '1.75', when: { minSubtotal: '50' } }] : []),
      ...(percent(roll, 15) ? [{ name: 'thanks', amount: '-2.49' }] : []),
    ],
  })
  const state: SessionState = {
    ...emptySession,
    lines: products.map(({ id }) => ({
      ...{ key: `k${id}`, productId: id, variationId: null, quantity: 1 + roll(9), attributes: {}, addedAt: 0 },
    })),
    coupons: coupons.map(({ code }) => code),
    billing: { ...emptyAddress, country: 'US', state: 'CA', postcode: '95131', city: 'San Jose' },
    chosenShipping: percent(roll, 50) ? { '0': { chosen: `flat_rate:${1 + roll(2)}`, offered: [] } } : {},
    calculatedShipping: true,
    paymentMethod: 'bacs',
  }
  return { products: new Map(products.map((one) => [one.id, one])), coupons, settings, state }
}

const sum = (figures: readonly number[]) => figures.reduce((left, right) => left + right, 0)
const t = interfaceTranslator('en-US')

/** Minor units of PayPal's amount. */
function read({ value, currency_code: currency }: { value: string; currency_code: string }): number {
  const decimals = currencyExponent(currency)
  if (!(decimals === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${decimals}}$`)).test(value))
    throw new Error(`${value} ${currency}`)
  return Number(value.replace('.', ''))
}

/** Returns the violated rules of one cart in one currency. */
async function faultsOf(
  { products, coupons, settings: ownSettings, state }: ReturnType<typeof aCart>,
  exchange: Exchange,
) {
  const faults: string[] = []
  const same = (what: string, is: unknown, should: unknown) => {
    if (is !== should) faults.push(`${exchange.to}: ${what} is ${is}, not ${should}`)
  }
  const settings = { ...ownSettings, currency: exchange.to }
  const facts = { settings, exchange, taxRates, shippingZones, paypal: null }
  const couponsIn = coupons.map((row) => couponIn(exchange, row))
  const cart = workOutCart(facts, state, products, couponsIn, new Date(0))
  const quote = quoteOf(facts, cart)
  same('the currency', quote.currency, exchange.to)

  // Σ lines + shipping + fees + tax = total, also for the goods before discounts.
  const goods = sum(quote.lines.map(({ total }) => total))
  const tax =
    sum(quote.lines.map((line) => line.totalTax)) +
    sum(quote.shipping.map((one) => one.tax)) +
    sum(quote.fees.map((one) => one.tax))
  const fees = sum(quote.fees.map(({ amount }) => amount))
  same('the sum of the parts', goods + quote.shippingTotal + fees + tax, quote.total)
  same('the sum of the taxes', tax, quote.totalTax)
  same('the sum of the rows of taxes', sum(quote.taxes.map(({ items, shipping }) => items + shipping)), quote.totalTax)
  const settled = settleTotals(cart.totals)
  const [before, off] = [settled.items.minor, settled.discount.minor]
  same('the sum with the discount', before - off + quote.shippingTotal + fees + tax, quote.total)
  // Each price is converted and rounded to its ending, then multiplied; never the line.
  for (const { line, product, unitPrice, entered } of cart.entries) {
    same(`the price of ${product.sku}`, unitPrice, exchange.price(entered))
    const figures = quote.lines.find((one) => one.line.key === line.key)
    if (figures && !settings.taxes.pricesIncludeTax) same('a line', figures.subtotal, unitPrice * line.quantity)
  }

  // Compares the stored order, pages, emails and PayPal's request.
  const tools = { settings, exchange, translator: async () => t } as unknown as Tools
  const page = await describeCart(tools, { ...cart, quote, products }, '')
  const wanted = {
    ...{
      quote,
      customerId: null,
      billing: state.billing,
      shipping: state.billing,
      customerNote: '',
      attribution: null,
      terms: null,
    },
    ...{
      paymentMethod: { id: 'bacs', title: '' },
      customerIp: '',
      customerUserAgent: '',
      createdVia: 'checkout' as const,
    },
  }
  // Justifies the casts: the missing columns do not affect figures.
  const order = { ...orderFigures(wanted), id: 1, key: 'key', created_at: new Date(0) } as unknown as OrderRow
  const items = orderItems(quote).map((item, id) => ({
    ...{ id, subtotal: 0, subtotal_tax: 0, quantity: 1, facts: {}, product_id: null },
    ...item,
  })) as unknown as OrderItemRow[]
  const told = orderFacts(order, items, new Map(), { settings, t: t.t })
  const text = (minor: number) =>
    formatAmount({ minor, currency: exchange.to }, { ...settings.priceFormat, decimals: 2 }, '')
  const { subtotal, packages, ...more } = page.totals
  const minors = (amounts: readonly { minor: number }[]) => sum(amounts.map(({ minor }) => minor))
  const ways = packages.flatMap(({ rates }) => rates.filter(({ chosen }) => chosen).map(({ cost }) => cost))
  const added = [...more.fees, ...more.taxes].map(({ amount }) => amount)
  const coupon = minors(more.coupons.map(({ discount }) => discount))
  same('the sum of the rows of the cart page', subtotal.minor - coupon + minors([...ways, ...added]), quote.total)
  same('the sum of the lines of the cart page', minors(page.lines.map((line) => line.subtotal)), subtotal.minor)
  const shown = told.totals.find(({ key }) => key === 'order_total')?.value
  same('the total of the cart page', text(page.totals.total.minor), text(order.total))
  same(
    'the total of the order page',
    typeof shown === 'object' ? `${shown.minor} ${shown.currency}` : shown,
    `${quote.total} ${exchange.to}`,
  )
  const rows = told.totals.map(({ key, value }) =>
    key !== 'order_total' && typeof value === 'object' ? value.minor : 0,
  )
  same('the sum of the rows of the order page', sum(rows), quote.total)
  same(
    'the worth in the own currency',
    order.base_total,
    exchange.from === exchange.to ? null : exchange.back(quote.total),
  )
  if (quote.total > 0 && isPayableCurrency(exchange.to)) {
    const presentation = { shippingPreference: 'NO_SHIPPING' } as const
    const unit = purchaseUnit({ ...walletFacts(order, items, presentation), invoiceId: '1', description: '1' })
    same('what is charged', read(unit.amount), quote.total)
    const { breakdown } = unit.amount
    if (breakdown) {
      const part = (name: keyof typeof breakdown) => (breakdown[name] ? read(breakdown[name]) : 0)
      const parts = part('item_total') + part('tax_total') + part('shipping') + part('handling') - part('discount')
      same('the breakdown', parts, quote.total)
      same('the handling', part('handling'), Math.max(0, fees))
      const sold = (unit.items ?? []).map((item) => Number(item.quantity) * read(item.unit_amount))
      same('the items', sum(sold), part('item_total'))
    } else if (order.total_tax >= 0) {
      // A discount larger than the goods makes a negative tax, which PayPal accepts in no breakdown.
      faults.push(`${exchange.to}: there is no breakdown`)
    }
  }
  return faults
}

describe('a cart in any currency', () => {
  it(`CUR-07 comes to the same on pages, in orders and at the provider: ${carts} carts in ${exchanges.length} currencies`, async () => {
    const faults: string[] = []
    let charged = 0
    for (let seed = 1; seed <= carts && faults.length < 20; seed += 1) {
      const cart = aCart(seed)
      for (const exchange of exchanges) {
        charged += 1
        for (const fault of await faultsOf(cart, exchange)) faults.push(`cart ${seed} in ${fault}`)
      }
    }
    expect(faults).toEqual([])
    expect(charged).toBe(carts * 12)
  }, 600_000)
})
