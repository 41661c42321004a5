import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencySetting } from '#contract/currency/settings.ts'
import { shopSettings } from '#contract/shared/settings.ts'
import type { CartProduct } from '#database/cart/cart-products.ts'
import { type Exchange, exchangeOf, noExchange } from '#domain/currency/exchange.ts'
import { add } from '#domain/money/money.ts'
import { validateCoupons } from '../coupons/apply-coupon.ts'
import { couponIn } from '../coupons/read-coupons.ts'
import { exchangeRule } from '../currency/offered-currencies.ts'
import { emptyAddress, emptySession } from '../customers/sessions/session-state.ts'
import { shopConfiguration } from '../operations/settings/shop-configuration.ts'
import type { Tools } from '../shared/tools.ts'
import type { EvaluatedCart } from './evaluated-cart.ts'
import { workOutCart } from './quote-cart.ts'

/** Ten times as many with `LIMIT_CARTS=4000`. */
const numRuns = Number(process.env.LIMIT_CARTS ?? 400)
const own = 'USD'

const decimal = (most: number) => fc.integer({ min: 100, max: most }).map((figure) => String(figure / 10_000))
const exchanges = fc
  .record({
    code: fc.constantFrom('EUR', 'GBP', 'JPY', 'KWD', 'HUF', 'SEK'),
    rate: fc.oneof(decimal(20_000), decimal(4_000_000)),
    fee: fc.record({ type: fc.constantFrom('percentage' as const), value: fc.constantFrom('0', '2.5', '10') }),
    rounding: fc.record({
      type: fc.constantFrom('disabled' as const, 'up' as const, 'down' as const, 'nearest' as const),
      step: fc.constantFrom('0.05', '0.1', '1', '5', '10', '100'),
      subtract: fc.constantFrom('0', '0.01', '0.05', '1'),
    }),
    decimals: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
  })
  .map(({ rate, ...entry }) => exchangeOf(own, exchangeRule(currencySetting.parse(entry), rate)))

const lines = fc.array(
  fc.record({
    price: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 100, max: 15_000 })),
    pieces: fc.nat(3),
  }),
  { minLength: 1, maxLength: 4 },
)
const carts = fc.record({
  lines,
  ppm: fc.constantFrom(0, 72_500, 200_000),
  pricesIncludeTax: fc.boolean(),
  displayCart: fc.constantFrom('incl' as const, 'excl' as const),
  roundAtSubtotal: fc.boolean(),
  discountPpm: fc.constantFrom(0, 100_000),
  discountMinor: fc.constantFrom(0, 333),
})
type Cart = typeof carts extends fc.Arbitrary<infer Value> ? Value : never

/** Distance of a limit from the cart's subtotal in the shop's own currency. */
const beside = fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -400, max: 400 }))

function aProduct(id: number, price: number): CartProduct {
  return {
    ...{ id, parentId: null, type: 'simple', name: `thing ${id}`, slug: `thing-${id}`, sku: `S${id}` },
    ...{ status: 'publish', regularPrice: price, salePrice: null, saleFrom: null, saleTo: null, taxStatus: 'taxable' },
    ...{ taxClass: '', stockOwner: null, stockQuantity: null, reservedByOthers: 0, backorders: 'no' },
    ...{ stockStatus: 'instock', soldIndividually: false, virtual: false, downloadable: false, keepsMethod: false },
    ...{ weightGrams: 0, lengthMm: null, widthMm: null, heightMm: null, shippingClass: '', categoryIds: [] },
    ...{ image: null, attributes: [], chosen: {} },
  }
}

/** Evaluates a cart in one currency, in a shop whose coupons, fee and free shipping share one limit. */
function workOut(cart: Cart, exchange: Exchange, limit: number) {
  const written = (limit / 100).toFixed(2)
  const settings = {
    ...shopSettings.parse({
      currency: own,
      base: { country: 'US', state: 'CA' },
      taxes: {
        enabled: cart.ppm > 0,
        pricesIncludeTax: cart.pricesIncludeTax,
        displayCart: cart.displayCart,
        roundAtSubtotal: cart.roundAtSubtotal,
      },
      fees: [
        { name: 'large', amount: '5000', when: { minSubtotal: written } },
        { name: 'small', amount: '5000', when: { maxSubtotal: written } },
      ],
    }),
    currency: exchange.to,
  }
  const zone = { id: 1, name: 'here', zone_order: 1, countries: ['US'], continents: [], postcodes: [] }
  const { shippingZones } = shopConfiguration({
    settings: {},
    taxRates: [],
    rates: [],
    shippingZones: [
      {
        ...zone,
        methods: [false, true].map((ignoring, position) => ({
          ...{
            instance_id: position,
            zone_id: 1,
            title: 'free',
            enabled: true,
            position,
            method: 'free_shipping' as const,
          },
          settings: { requires: 'min_amount', min_amount: written, ignore_discounts: ignoring ? 'yes' : 'no' },
        })),
      },
    ],
  })
  const taxRate = {
    ...{ id: 1, country: 'US', state: '', postcodes: [], cities: [], ratePpm: cart.ppm, name: 'tax', priority: 1 },
    ...{ compound: false, shipping: true, class: '' },
  }
  const coupon = (id: number, off: object, set: Record<string, unknown>) =>
    couponIn(exchange, {
      ...{ id, code: `c${id}`, type: 'percent', amount_ppm: 0, amount_minor: 0, ...off },
      ...{ settings: set, expires_at: null, usage_limit: null, used: 0 },
    })
  const tools = {
    settings,
    exchange,
    shippingZones,
    taxRates: [taxRate],
    paypal: null,
    clock: { now: () => new Date(0) },
  }
  const worked = workOutCart(
    tools,
    {
      ...emptySession,
      lines: cart.lines.map(({ pieces }, index) => ({
        ...{
          key: `k${index}`,
          productId: index + 1,
          variationId: null,
          quantity: 1 + pieces,
          attributes: {},
          addedAt: 0,
        },
      })),
      billing: { ...emptyAddress, country: 'US', state: 'CA', postcode: '95131', city: 'San Jose' },
    },
    new Map(cart.lines.map(({ price }, index) => [index + 1, aProduct(index + 1, price)])),
    [
      coupon(1, { amount_ppm: cart.discountPpm }, {}),
      coupon(2, { type: 'fixed_cart', amount_minor: cart.discountMinor }, {}),
    ],
    new Date(0),
  )
  const { subtotal, subtotalTax } = worked.totals
  const judge = async (set: Record<string, unknown>) => {
    // Justifies the casts: a coupon without usage limits and addresses needs neither database nor quote.
    const evaluated = worked as unknown as EvaluatedCart
    const guest = { id: 'guest', customerId: null }
    const judged = await validateCoupons(tools as unknown as Tools, guest, evaluated, [coupon(3, {}, set)], '')
    return judged[0]?.[1] ?? null
  }
  return {
    shown: cart.displayCart === 'incl' ? add(subtotal, subtotalTax) : subtotal,
    pieces: cart.lines.reduce((count, { pieces }) => count + 1 + pieces, 0),
    free: worked.packages.flatMap(({ rates }) => rates.map(({ id }) => id)),
    fees: worked.totals.fees.map(({ name }) => name),
    minimum: () => judge({ minimumAmount: limit }),
    maximum: () => judge({ maximumAmount: limit }),
  }
}

const subtotalOf = (cart: Cart) => workOut(cart, noExchange(own), 0).shown.minor

describe('limits of a merchant in any currency', () => {
  it('CUR-07 a cart qualifies in each currency exactly where it qualifies in the shop’s own', async () => {
    const property = fc.asyncProperty(carts, exchanges, beside, async (cart, exchange, distance) => {
      const limit = Math.max(1, subtotalOf(cart) + distance)
      const [inOwn, inOther] = [workOut(cart, noExchange(own), limit), workOut(cart, exchange, limit)]
      expect(inOther.free).toEqual(inOwn.free)
      expect(inOther.fees).toEqual(inOwn.fees)
      expect((await inOther.minimum())?.reason).toBe((await inOwn.minimum())?.reason)
      expect((await inOther.maximum())?.reason).toBe((await inOwn.maximum())?.reason)
    })
    await fc.assert(property, {
      numRuns,
      examples: [
        // 75 dollars are 68.95 euros, and the minimum was 69.00.
        [
          {
            ...{ lines: [{ price: 7500, pieces: 0 }], ppm: 0, pricesIncludeTax: false, displayCart: 'excl' },
            ...{ roundAtSubtotal: false, discountPpm: 0, discountMinor: 0 },
          },
          exchangeOf(
            own,
            exchangeRule(currencySetting.parse({ code: 'EUR', rounding: { type: 'up', subtract: '0.05' } }), '0.92'),
          ),
          0,
        ],
      ],
    })
  }, 120_000)

  it('CUR-07 the amount that is named for a limit is true: a cart that comes to it qualifies', async () => {
    let named = 0
    const property = fc.asyncProperty(carts, lines, exchanges, beside, async (cart, others, exchange, distance) => {
      // Another cart of the same shop, with a subtotal near the limit.
      const other = { ...cart, lines: others }
      const limit = Math.max(2, subtotalOf(other) + distance)
      const [told, tried] = [workOut(cart, exchange, limit), workOut(other, exchange, limit)]
      for (const which of ['minimum', 'maximum'] as const) {
        const refusal = await told[which]()
        if (!refusal || !('amount' in refusal)) continue
        expect(refusal.amount).toEqual({ minor: limit, currency: own })
        if (!refusal.stated) continue
        named += 1
        const { minor } = refusal.stated
        const keeps = (shown: number) => (which === 'minimum' ? shown >= minor : shown <= minor)
        expect(keeps(told.shown.minor)).toBe(false)
        if (tried.pieces <= told.pieces + 1 && keeps(tried.shown.minor)) expect(await tried[which]()).toBeNull()
      }
    })
    await fc.assert(property, { numRuns })
    expect(named).toBeGreaterThan(numRuns / 10)
  }, 120_000)
})
