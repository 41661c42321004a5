import { describe, expect, it } from 'vitest'
import { cart, coupon, line, rate } from '#tests/support/cart/cart-fixtures.ts'
import type { CouponAmount } from '../coupons/coupon.ts'
import { money } from '../money/money.ts'
import type { TaxRate } from '../tax/tax-rate.ts'
import { settleTotals } from './settle-totals.ts'
import { type CartTotals, totalsOf } from './totals.ts'

/** Carts calculated on paper. The calculation precedes each; figures are minor units. */

const minor = (amount: number, currency = 'EUR') => money(amount, currency)
const percent = (ppm: number): CouponAmount => ({ type: 'percent', ppm })
const fixedCart = (amount: number, currency?: string): CouponAmount => ({
  type: 'fixed_cart',
  amount: minor(amount, currency),
})
const fixedProduct = (amount: number): CouponAmount => ({ type: 'fixed_product', amount: minor(amount) })
const fee = (amount: number, taxable = true) => ({ name: 'Fee', amount: minor(amount), taxable, taxClass: '' })
const flat = (amount: number, taxable = true) => [{ id: 'flat_rate:1', label: 'Flat', cost: minor(amount), taxable }]
const classes = (standard: readonly TaxRate[], reduced: readonly TaxRate[]) => ({
  '': standard,
  'reduced-rate': reduced,
})

type Figures = { items?: number; tax?: number; discount?: number; fees?: number; shippingTax?: number; total: number }
const figuresOf = (totals: CartTotals): Required<Figures> => ({
  items: totals.itemsTotal.minor,
  tax: totals.totalTax.minor,
  discount: totals.discount.minor,
  fees: totals.feesTotal.minor,
  shippingTax: totals.shippingTax.minor,
  total: totals.total.minor,
})

const included = { pricesIncludeTax: true }
const vat19 = [rate(1, 190_000)]

const cases: [name: string, input: Parameters<typeof totalsOf>[0], expected: Figures][] = [
  // 3 × 9.99 = 29.97; × 0.19 = 5.6943
  ['19 % on top', cart({}, vat19, [line('a', 999, 3)]), { items: 2997, tax: 569, total: 3566 }],
  // 2 × 49.95 = 99.90; × 0.08875 = 8.866125
  ['8.875 % on top', cart({}, [rate(1, 88_750)], [line('a', 4995, 2)]), { tax: 887, total: 10_877 }],
  // 19.99 × 0.05 = 0.9995 → 1.00; × 0.09975 = 1.9940… → 1.99
  [
    'two rates side by side, each rounded',
    cart({}, [rate(1, 50_000), rate(2, 99_750)], [line('a', 1999, 1)]),
    { tax: 299, total: 2298 },
  ],
  // 5.00; (100 + 5) × 0.095 = 9.975 → 9.98
  [
    'a rate on top of another',
    cart({}, [rate(1, 50_000), rate(2, 95_000, { compound: true })], [line('a', 10_000, 1)]),
    { tax: 1498, total: 11_498 },
  ],
  // 59.97 ÷ 6 = 9.995: the half goes down in tax and up in net, and the price stays.
  [
    '20 % inside, a half',
    cart(included, [rate(1, 200_000)], [line('a', 1999, 3)]),
    { items: 4998, tax: 999, total: 5997 },
  ],
  // 24.00 ÷ 1.20 = 20.00: 3.00 and 1.00
  [
    'two rates inside',
    cart(included, [rate(1, 150_000), rate(2, 50_000)], [line('a', 2400, 1)]),
    { items: 2000, tax: 400, total: 2400 },
  ],
  // 12.10 − 12.10 ÷ 1.1 = 1.10; 11.00 − 11.00 ÷ 1.1 = 1.00
  [
    'a rate on top of another, inside',
    cart(included, [rate(1, 100_000), rate(2, 100_000, { compound: true })], [line('a', 1210, 1)]),
    { items: 1000, tax: 210, total: 1210 },
  ],
  // 10.70 ÷ 1.07 = 10.00; 11.90 ÷ 1.19 = 10.00
  [
    'two classes inside',
    cart(included, [], [line('a', 1070, 1, { taxClass: 'reduced-rate' }), line('b', 1190, 1)], {
      rates: { customer: classes(vat19, [rate(2, 70_000)]), base: classes(vat19, [rate(2, 70_000)]) },
    }),
    { items: 2000, tax: 260, total: 2260 },
  ],
  // A zero rate is a rate: nothing on top.
  ['a rate of nothing', cart({}, [rate(1, 0)], [line('a', 1000, 1)]), { tax: 0, total: 1000 }],
  // 9,999 × 99,999.99 = 999,899,900.01; × 0.19 = 189,980,981.0019
  [
    'a very large cart',
    cart({}, vat19, [line('a', 9_999_999, 9_999)]),
    { tax: 18_998_098_100, total: 118_988_088_101 },
  ],

  // 0.99 × 0.10 = 0.099, down to 0.09 each; 2.97 × 0.10 = 0.297 → 0.30: three more cents, one a line.
  [
    'ten percent of three small lines',
    cart({}, [], [line('a', 99, 1), line('b', 99, 1), line('c', 99, 1)], { coupons: [coupon(1, percent(100_000))] }),
    { discount: 30, total: 267 },
  ],
  // 10.00 × 0.333 = 3.33
  [
    '33.3 %',
    cart({}, [], [line('a', 1000, 1)], { coupons: [coupon(1, percent(333_000))] }),
    { discount: 333, total: 667 },
  ],
  [
    'a hundred percent',
    cart({}, vat19, [line('a', 1000, 1)], { coupons: [coupon(1, percent(1_000_000))] }),
    { tax: 0, total: 0 },
  ],
  // One of three: 10.01 × 0.5 = 5.005, down to 5.00; the whole owes 5.005, half down: 5.00.
  [
    'half off one piece of three',
    cart({}, [], [line('a', 1001, 3)], { coupons: [coupon(1, percent(500_000), { limitToItems: 1 })] }),
    { discount: 500, total: 2503 },
  ],
  // 10 % of 30.00 alone
  [
    'ten percent, not on sale items',
    cart({}, [], [line('a', 3000, 1), line('b', 2000, 1, { onSale: true })], {
      coupons: [coupon(1, percent(100_000), { excludeSaleItems: true })],
    }),
    { discount: 300, total: 4700 },
  ],
  // The lower amount first: 5.00; then 6.00 of the full price, of which 5.00 are left.
  [
    '50 % and 60 % at once',
    cart({}, [], [line('a', 1000, 1)], { coupons: [coupon(1, percent(600_000)), coupon(2, percent(500_000))] }),
    { discount: 1000, total: 0 },
  ],
  // 5.00 over four pieces is 1.25 each: 3.75 and 1.25
  [
    'five off the cart, by piece',
    cart({}, [], [line('a', 400, 3), line('b', 200, 1)], { coupons: [coupon(1, fixedCart(500))] }),
    { discount: 500, total: 900 },
  ],
  // 5.00 each, but a has 3.00; the 2.00 over go to b.
  [
    'ten off the cart, more than one line holds',
    cart({}, [], [line('a', 300, 1), line('b', 2000, 1)], { coupons: [coupon(1, fixedCart(1000))] }),
    { discount: 1000, total: 1300 },
  ],
  // Free items take no share.
  [
    'five off a cart with something free',
    cart({}, [], [line('a', 0, 3), line('b', 1000, 1)], { coupons: [coupon(1, fixedCart(500))] }),
    { discount: 500, total: 500 },
  ],
  // The dearest pieces: two of a and one of b
  [
    'two off three pieces',
    cart({}, [], [line('b', 1000, 5), line('a', 1500, 2)], {
      coupons: [coupon(1, fixedProduct(200), { limitToItems: 3 })],
    }),
    { discount: 600, total: 7400 },
  ],
  [
    'more off a piece than it costs',
    cart({}, [], [line('a', 1000, 2)], { coupons: [coupon(1, fixedProduct(1200))] }),
    { discount: 2000, total: 0 },
  ],
  // Piece 2 × 1.00; 10 % of the full 40.00; then 3.00
  [
    'three kinds of coupon',
    cart({}, [], [line('a', 2000, 2)], {
      coupons: [coupon(1, fixedCart(300)), coupon(2, percent(100_000)), coupon(3, fixedProduct(100))],
    }),
    { discount: 900, total: 3100 },
  ],
  // The same, but 10 % of what the first left: 3.80
  [
    'three kinds of coupon in turn',
    cart({ sequentialDiscounts: true }, [], [line('a', 2000, 2)], {
      coupons: [coupon(1, fixedCart(300)), coupon(2, percent(100_000)), coupon(3, fixedProduct(100))],
    }),
    { discount: 880, total: 3120 },
  ],
  // 1.19 off with its tax of 0.19; 10.71 ÷ 1.19 = 9.00
  [
    'ten percent off a price with tax',
    cart(included, vat19, [line('a', 1190, 1)], { coupons: [coupon(1, percent(100_000))] }),
    { discount: 100, items: 900, tax: 171, total: 1071 },
  ],

  // 12.00 ÷ 1.2 = 10.00; + 10 %
  [
    'a customer of another rate',
    cart(included, [], [line('a', 1200, 1)], {
      rates: { customer: { '': [rate(2, 100_000)] }, base: { '': [rate(1, 200_000)] } },
    }),
    { items: 1000, tax: 100, total: 1100 },
  ],
  // 11.00 − 1.10 = 9.90, of which 0.90 is tax
  [
    'a customer of another rate, with a coupon',
    cart(included, [], [line('a', 1200, 1)], {
      rates: { customer: { '': [rate(2, 100_000)] }, base: { '': [rate(1, 200_000)] } },
      coupons: [coupon(1, fixedCart(110))],
    }),
    { items: 900, tax: 90, total: 990 },
  ],
  // 2 × 35.00 ÷ 1.25
  [
    'an exempt customer',
    cart({ ...included, vatExempt: true }, [rate(1, 250_000)], [line('a', 3500, 2)]),
    { tax: 0, total: 5600 },
  ],
  // With the same gross everywhere the customer's own 10 % come out of 11.00, not the base's 25 %.
  [
    'an exempt customer where prices are the same everywhere',
    cart({ ...included, vatExempt: true, sameGrossEverywhere: true }, [], [line('a', 1100, 1)], {
      rates: { customer: { '': [rate(2, 100_000)] }, base: { '': [rate(1, 250_000)] } },
    }),
    { items: 1000, tax: 0, total: 1000 },
  ],
  [
    'an exempt customer, nothing to take out',
    cart({ vatExempt: true }, vat19, [line('a', 1000, 1)], { shipping: flat(500), fees: [fee(100)] }),
    { tax: 0, total: 1600 },
  ],

  // 4.99 × 0.07 = 0.3493
  [
    'shipping taxed',
    cart({}, [rate(1, 70_000)], [line('a', 1000, 1)], { shipping: flat(499) }),
    { shippingTax: 35, tax: 105, total: 1604 },
  ],
  [
    'shipping of an untaxed method',
    cart({}, vat19, [line('a', 1000, 1)], { shipping: flat(500, false) }),
    { shippingTax: 0, tax: 190, total: 1690 },
  ],
  [
    'shipping of no class',
    cart({}, vat19, [line('a', 1000, 1)], { shipping: flat(500), shippingTaxClass: null }),
    { shippingTax: 0, tax: 190, total: 1690 },
  ],
  // Shipping is always entered without tax: 5.00 + 0.95
  [
    'shipping beside prices with tax',
    cart(included, vat19, [line('a', 1190, 1)], { shipping: flat(500) }),
    { shippingTax: 95, tax: 285, total: 1785 },
  ],
  // 3.00 × 0.19 = 0.57
  ['a fee, taxed', cart({}, vat19, [line('a', 1000, 1)], { fees: [fee(300)] }), { fees: 300, tax: 247, total: 1547 }],
  [
    'a fee, untaxed',
    cart({}, vat19, [line('a', 1000, 1)], { fees: [fee(300, false)] }),
    { fees: 300, tax: 190, total: 1490 },
  ],
  // A rebate ends at nothing.
  [
    'a rebate of more than there is',
    cart({}, [], [line('a', 3000, 1)], { fees: [fee(-5000)] }),
    { fees: -3000, total: 0 },
  ],
  // 20 of 25 are taxed: −4.00 × 0.20 = −0.80
  [
    'a rebate over taxed goods and untaxed shipping',
    cart({}, [rate(1, 200_000)], [line('a', 2000, 1)], { shipping: flat(500, false), fees: [fee(-500)] }),
    { fees: -500, tax: 320, total: 2320 },
  ],
  // The second may take what the first left: 10 − 8 = 2.
  ['two rebates', cart({}, [], [line('a', 1000, 1)], { fees: [fee(-800), fee(-800)] }), { fees: -1000, total: 0 }],
  // Shipping is of the class but not taxed by its rate. Taken off all 30.00, tax of 6.00 would come back where 2.00 was
  // charged.
  [
    'a rebate of everything gives back no more tax than there was',
    cart({}, [rate(1, 200_000, { shipping: false })], [line('a', 1000, 1)], {
      shipping: flat(2000),
      fees: [fee(-3000)],
    }),
    { fees: -3000, tax: 0, total: 0 },
  ],

  // 3 × 0.33 × 0.07 = 0.0231 a line: 0.02 each, or 0.0693 at once
  [
    'small taxes a line',
    cart(
      {},
      [rate(1, 70_000)],
      ['a', 'b', 'c'].map((key) => line(key, 33, 1)),
    ),
    { tax: 6, total: 105 },
  ],
  [
    'small taxes at once',
    cart(
      { roundAtSubtotal: true },
      [rate(1, 70_000)],
      ['a', 'b', 'c'].map((key) => line(key, 33, 1)),
    ),
    { tax: 7, total: 106 },
  ],
  // 0.99 − 0.99 ÷ 1.19 = 0.15806…; twice 0.31613; the net 1.66387
  [
    'taxes inside, at once',
    cart({ ...included, roundAtSubtotal: true }, vat19, [line('a', 99, 1), line('b', 99, 1)]),
    { items: 166, tax: 32, total: 198 },
  ],
]

const yen = (key: string, amount: number, quantity: number) => line(key, amount, quantity, {}, 'JPY')
const dinar = (key: string, amount: number, quantity: number) => line(key, amount, quantity, {}, 'KWD')
const inYen = { currency: 'JPY' }
const inDinar = { currency: 'KWD' }
cases.push(
  // 594 ÷ 1.1 = 540
  [
    'yen with 10 % inside',
    cart(included, [rate(1, 100_000)], [yen('a', 198, 3)], inYen),
    { items: 540, tax: 54, total: 594 },
  ],
  // 131 × 0.08 = 10.48
  ['yen with 8 % on top', cart({}, [rate(1, 80_000)], [yen('a', 131, 1)], inYen), { tax: 10, total: 141 }],
  // 999 × 0.15 = 149.85: down to 149, and one yen more because the whole owes 150
  [
    'yen with a percent coupon',
    cart({}, [], [yen('a', 999, 1)], { ...inYen, coupons: [coupon(1, percent(150_000))] }),
    { discount: 150, total: 849 },
  ],
  // 2.470 × 0.05 = 0.1235, half up
  ['dinars with 5 % on top', cart({}, [rate(1, 50_000)], [dinar('a', 1235, 2)], inDinar), { tax: 124, total: 2594 }],
  // 1.000 over three pieces is 0.333 each; the last fils goes to the first line.
  [
    'dinars off the cart',
    cart({}, [], [dinar('a', 500, 3)], { ...inDinar, coupons: [coupon(1, fixedCart(1000, 'KWD'))] }),
    { discount: 1000, total: 500 },
  ],
  // 0.999 ÷ 1.1 = 0.90818; tax 0.09082
  [
    'dinars with 10 % inside',
    cart(included, [rate(1, 100_000)], [dinar('a', 999, 1)], inDinar),
    { items: 908, tax: 91, total: 999 },
  ],
)

describe('worked carts', () => {
  it.each(cases)('%s', (_, input, expected) => {
    const totals = totalsOf(input)
    expect(figuresOf(totals)).toMatchObject(expected)
    expect(settleTotals(totals).total.minor).toBe(expected.total)
  })

  it('settling changes figures only where the shop rounds at the subtotal', () => {
    const lines = [line('a', 1550, 1), line('b', 2500, 1)]
    const rates = [rate(1, 72_500)]
    // 1.12375 and 1.8125: 1.12 + 1.81 a line; at once 2.93625 → 2.94, and the cent goes to the larger remainder.
    const each = settleTotals(totalsOf(cart({}, rates, lines)))
    const once = settleTotals(totalsOf(cart({ roundAtSubtotal: true }, rates, lines)))
    expect(each.lines.map(({ tax }) => tax.minor)).toEqual([112, 181])
    expect(once.lines.map(({ tax }) => tax.minor)).toEqual([113, 181])
    expect([each.tax.minor, once.tax.minor]).toEqual([293, 294])
  })
  it('an order keeps as its discount what its lines became cheaper by', () => {
    // 37.47 and 10.10, less 5.62 and 1.52. Net 30.97 + 8.35 before, 26.32 + 7.09 after: 5.91, where 7.14 ÷ 1.21 is
    // 5.90.
    const lines = [line('a', 1249, 3), line('b', 505, 2)]
    const totals = totalsOf(cart(included, [rate(1, 210_000)], lines, { coupons: [coupon(1, percent(150_000))] }))
    const { items, discount, discountTax, linesTax, coupons, total } = settleTotals(totals)
    expect([totals.discount.minor, totals.discountTax.minor]).toEqual([590, 124])
    expect([items.minor, discount.minor, discountTax.minor, linesTax.minor]).toEqual([3932, 591, 123, 702])
    expect(items.minor - discount.minor + linesTax.minor).toBe(total.minor)
    expect(coupons).toEqual([{ discount, discountTax }])
  })
})
