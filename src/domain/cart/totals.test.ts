import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cart, coupon, line, off, rate } from '#tests/support/cart/cart-fixtures.ts'
import { processorMs } from '#tests/support/process/processor-time.ts'
import { size } from '#tests/support/size.ts'
import { money } from '../money/money.ts'
import type { TaxRate } from '../tax/tax-rate.ts'
import { type RateShare, settleFeeRates, settleRates } from './settle-rates.ts'
import { settleTotals } from './settle-totals.ts'
import { totalsOf } from './totals.ts'
import type { AddedInput, ItemsInput, TotalsSwitches } from './totals-input.ts'

const euro = (minor: number) => money(minor, 'EUR')
const flat = (minor: number) => [{ id: 'flat_rate:1', label: 'Flat rate', cost: euro(minor), taxable: true }]

describe('worked examples', () => {
  it('prices with 21 %, a percent coupon of 15', () => {
    const totals = totalsOf(
      cart({ pricesIncludeTax: true }, [rate(1, 210_000)], [line('a', 1249, 3), line('b', 505, 2)], {
        coupons: [coupon(1, { type: 'percent', ppm: 150_000 })],
      }),
    )
    expect([totals.subtotal, totals.subtotalTax]).toEqual([euro(3932), euro(825)])
    expect([totals.discount, totals.discountTax]).toEqual([euro(590), euro(124)])
    expect(totals.lines.map((each) => [each.total.minor, each.totalTax.minor])).toEqual([
      [2631, 553],
      [710, 149],
    ])
    expect([totals.total, totals.totalTax]).toEqual([euro(4043), euro(702)])
  })

  it('prices without tax, 7 % and 3 % compound, shipping taxed by the first alone', () => {
    const rates = [rate(1, 70_000), rate(2, 30_000, { compound: true, shipping: false })]
    const totals = totalsOf(cart({}, rates, [line('a', 1995, 2)], { shipping: flat(690) }))
    expect(totals.itemsTax).toEqual(euro(407))
    expect(totals.taxes.map((row) => [row.items.minor, row.shipping.minor])).toEqual([
      [279, 48],
      [128, 0],
    ])
    expect(totals.shippingTax).toEqual(euro(48))
    expect(totals.total).toEqual(euro(5135))
  })

  it('prices with 19 %, ten off the cart', () => {
    const totals = totalsOf(
      cart({ pricesIncludeTax: true }, [rate(1, 190_000)], [line('a', 499, 1), line('b', 725, 2)], {
        coupons: [coupon(1, { type: 'fixed_cart', amount: euro(1000) })],
      }),
    )
    expect([totals.subtotal.minor, totals.subtotalTax.minor]).toEqual([1637, 312])
    expect([totals.itemsTotal.minor, totals.itemsTax.minor, totals.total.minor]).toEqual([797, 152, 949])
  })

  it('prices with 25 % of the base, a customer abroad without a rate', () => {
    const abroad = cart({ pricesIncludeTax: true }, [], [line('a', 3500, 2)], {
      rates: { customer: {}, base: { '': [rate(1, 250_000)] } },
    })
    const totals = totalsOf(abroad)
    expect([totals.subtotal.minor, totals.totalTax.minor, totals.total.minor]).toEqual([5600, 0, 5600])
  })
})

describe('tax switches', () => {
  const lines = [line('a', 1000, 1)]

  it('the same gross everywhere leaves the price alone and takes the customer’s tax out of it', () => {
    const rates = { customer: { '': [rate(2, 100_000)] }, base: { '': [rate(1, 250_000)] } }
    const moved = totalsOf(cart({ pricesIncludeTax: true }, [], lines, { rates }))
    expect([moved.subtotal.minor, moved.totalTax.minor, moved.total.minor]).toEqual([800, 80, 880])
    const same = totalsOf(cart({ pricesIncludeTax: true, sameGrossEverywhere: true }, [], lines, { rates }))
    expect([same.subtotal.minor, same.totalTax.minor, same.total.minor]).toEqual([909, 91, 1000])
  })

  it('an exempt customer pays the price without the base tax', () => {
    const totals = totalsOf(
      cart({ pricesIncludeTax: true, vatExempt: true }, [rate(1, 190_000)], lines, { shipping: flat(500) }),
    )
    expect([totals.subtotal.minor, totals.totalTax.minor, totals.total.minor]).toEqual([840, 0, 1340])
  })

  it('untaxed products and switched-off taxes cost what the price says', () => {
    const rates = [rate(1, 190_000)]
    expect(
      totalsOf(cart({ pricesIncludeTax: true }, rates, [line('a', 1000, 1, { taxable: false })])).total.minor,
    ).toBe(1000)
    expect(totalsOf(cart({ taxesEnabled: false }, rates, lines, { shipping: flat(100) })).total.minor).toBe(1100)
  })

  it('halves of a tax go up on prices without tax and down on prices with it', () => {
    expect(totalsOf(cart({}, [rate(1, 50_000)], [line('a', 10, 1)])).itemsTax.minor).toBe(1)
    const half = totalsOf(cart({ pricesIncludeTax: true }, [rate(1, 1_000_000)], [line('a', 1, 1)]))
    expect([half.itemsTax.minor, half.itemsTotal.minor, half.total.minor]).toEqual([0, 1, 1])
  })

  it('rounding at the subtotal rounds many small taxes once', () => {
    const many = Array.from({ length: 5 }, (_, index) => line(`l${index}`, 10, 1))
    const each = totalsOf(cart({}, [rate(1, 40_000)], many))
    const once = totalsOf(cart({ roundAtSubtotal: true }, [rate(1, 40_000)], many))
    expect([each.totalTax.minor, once.totalTax.minor]).toEqual([0, 2])
    expect([each.total.minor, once.total.minor]).toEqual([50, 52])
  })

  it('counts in the currency’s own decimals', () => {
    const yen = (minor: number) => money(minor, 'JPY')
    const totals = totalsOf(
      cart({}, [rate(1, 100_000)], [line('a', 0, 3, { unitPrice: yen(105) })], { currency: 'JPY' }),
    )
    expect([totals.totalTax, totals.total]).toEqual([yen(32), yen(347)])
    expect(() => totalsOf(cart({}, [], [line('a', 5, 1)], { currency: 'JPY' }))).toThrow(
      'a cart in JPY cannot hold EUR',
    )
  })
})

describe('fees', () => {
  it('a taxable fee is taxed by its own class, on top', () => {
    const rates = { customer: { '': [rate(1, 190_000)], 'reduced-rate': [rate(2, 70_000)] }, base: {} }
    const fees = [{ name: 'Wrapping', amount: euro(300), taxable: true, taxClass: 'reduced-rate' }]
    const totals = totalsOf(cart({}, [], [line('a', 1000, 1)], { rates, fees }))
    expect([totals.feesTotal.minor, totals.feesTax.minor, totals.total.minor]).toEqual([300, 21, 1511])
  })

  it('a rebate stops at what there is to pay and gives tax back in proportion to the classes', () => {
    const rates = { customer: { '': [rate(1, 200_000)], 'reduced-rate': [rate(2, 100_000)] }, base: {} }
    const lines = [line('a', 3000, 1), line('b', 1000, 1, { taxClass: 'reduced-rate' })]
    const rebate = (minor: number) => [{ name: 'Rebate', amount: euro(minor), taxable: true, taxClass: '' }]
    const some = totalsOf(cart({}, [], lines, { rates, fees: rebate(-400) }))
    expect([some.feesTotal.minor, some.feesTax.minor, some.total.minor]).toEqual([-400, -70, 4230])
    const all = totalsOf(cart({}, [], lines, { rates, fees: rebate(-99_999) }))
    expect([all.feesTotal.minor, all.total.minor]).toEqual([-4000, 0])
  })

  it('a rebate on untaxed goods gives no tax back', () => {
    const fees = [{ name: 'Rebate', amount: euro(-100), taxable: true, taxClass: '' }]
    const totals = totalsOf(cart({}, [rate(1, 200_000)], [line('a', 1000, 1, { taxable: false })], { fees }))
    expect([totals.feesTax.minor, totals.total.minor]).toEqual([0, 900])
  })
})

/** 20,000 carts over the twelve modes; MONEY_CARTS=1000000 for a long run. */
const cartsPerMode = Math.ceil(Number(process.env.MONEY_CARTS ?? size(20_000, 1_000_000)) / 12)

const price = fc.integer({ min: 0, max: 250_000 })
const anyRate = fc.record({ ppm: fc.integer({ min: 0, max: 300_000 }), compound: fc.boolean(), shipping: fc.boolean() })
const rateList = (first: number) =>
  fc
    .array(anyRate, { maxLength: 3 })
    .map((list) => list.map(({ ppm, ...facts }, index) => rate(first + index, ppm, facts)))
const anyLine = fc.record({
  minor: price,
  quantity: fc.integer({ min: 1, max: 9 }),
  taxable: fc.boolean(),
  reduced: fc.boolean(),
  onSale: fc.boolean(),
})
const anyCoupon = fc.record({
  takesOff: fc.oneof(
    fc.record({ type: fc.constant('percent' as const), ppm: fc.integer({ min: 0, max: 1_000_000 }) }),
    fc.record({ type: fc.constantFrom('fixed_cart' as const, 'fixed_product' as const), amount: price.map(euro) }),
  ),
  limitToItems: fc.option(fc.integer({ min: 1, max: 9 })),
  excludeSaleItems: fc.boolean(),
})
const anySwitches = (fixed: Partial<TotalsSwitches>) =>
  fc
    .record({
      // Seldom off: without taxes few errors are possible.
      taxesEnabled: fc.integer({ min: 0, max: 9 }).map((chance) => chance > 0),
      vatExempt: fc.boolean(),
      sameGrossEverywhere: fc.boolean(),
      sequentialDiscounts: fc.boolean(),
    })
    .map((random) => ({ ...off, ...random, ...fixed }))
const anyCart = (fixed: Partial<TotalsSwitches>, currency: string) =>
  fc
    .record({
      switches: anySwitches(fixed),
      lines: fc.array(anyLine, { minLength: 1, maxLength: 8 }),
      coupons: fc.array(anyCoupon, { maxLength: 3 }),
      customer: fc.tuple(rateList(1), rateList(11)),
      sameRates: fc.boolean(),
      base: fc.tuple(rateList(21), rateList(31)),
      shipping: fc.array(price, { maxLength: 2 }),
      shippingTaxable: fc.boolean(),
      shippingTaxClass: fc.constantFrom('', 'reduced-rate', null),
      fees: fc.array(
        fc.record({
          minor: fc.integer({ min: -300_000, max: 50_000 }),
          taxable: fc.boolean(),
          taxClass: fc.constantFrom('', 'reduced-rate', 'unknown'),
        }),
        { maxLength: 3 },
      ),
    })
    .map((facts): ItemsInput & AddedInput => {
      const amount = (minor: number) => money(minor, currency)
      const byClass = ([standard, reduced]: [TaxRate[], TaxRate[]]) => ({ '': standard, 'reduced-rate': reduced })
      return {
        currency,
        switches: facts.switches,
        lines: facts.lines.map(({ minor, quantity, taxable, reduced, onSale }, index) =>
          line(`l${index}`, 0, quantity, {
            unitPrice: amount(minor),
            taxable,
            onSale,
            taxClass: reduced ? 'reduced-rate' : '',
          }),
        ),
        coupons: facts.coupons.map(({ takesOff, ...rest }, index) =>
          coupon(
            index + 1,
            takesOff.type === 'percent' ? takesOff : { ...takesOff, amount: amount(takesOff.amount.minor) },
            rest,
          ),
        ),
        rates: { customer: byClass(facts.customer), base: byClass(facts.sameRates ? facts.customer : facts.base) },
        shipping: facts.shipping.map((minor, index) => ({
          id: `flat_rate:${index}`,
          label: 'Flat',
          cost: amount(minor),
          taxable: facts.shippingTaxable,
        })),
        shippingTaxClass: facts.shippingTaxClass,
        fees: facts.fees.map(({ minor, taxable, taxClass }, index) => ({
          name: `Fee ${index}`,
          amount: amount(minor),
          taxable,
          taxClass,
        })),
      }
    })

/** Asserts more cheaply than `expect`, which would be called some hundred thousand times here. */
function hold(promise: boolean, name: string): void {
  if (!promise) throw new Error(`broken: ${name}`)
}

describe('I6 M8 money properties', () => {
  it('the same cart always costs the same', () => {
    fc.assert(
      fc.property(anyCart({ pricesIncludeTax: true }, 'EUR'), (input) => {
        expect(totalsOf(structuredClone(input))).toEqual(totalsOf(input))
      }),
    )
  })

  it('the order in which coupons were applied changes no figure', () => {
    const shuffled = anyCart({}, 'EUR').chain((input) =>
      fc.tuple(fc.constant(input), fc.shuffledSubarray([...input.coupons], { minLength: input.coupons.length })),
    )
    fc.assert(
      fc.property(shuffled, ([input, coupons]) => {
        const figures = ({ total, lines, taxes, discount }: ReturnType<typeof totalsOf>) => ({
          total,
          lines,
          taxes,
          discount,
        })
        expect(figures(totalsOf({ ...input, coupons }))).toEqual(figures(totalsOf(input)))
      }),
      { numRuns: 500 },
    )
  })

  it('the order of lines does not change the total', () => {
    const reversed = anyCart({ roundAtSubtotal: true }, 'EUR').map((input) => ({ ...input, coupons: [] }))
    fc.assert(
      fc.property(reversed, (input) => {
        expect(totalsOf({ ...input, lines: input.lines.toReversed() }).total).toEqual(totalsOf(input).total)
      }),
      { numRuns: 500 },
    )
  })

  for (const pricesIncludeTax of [false, true]) {
    for (const roundAtSubtotal of [false, true]) {
      for (const currency of ['EUR', 'JPY', 'KWD']) {
        const mode = `${currency}, prices ${pricesIncludeTax ? 'with' : 'without'} tax, rounded ${roundAtSubtotal ? 'at the subtotal' : 'a line'}`
        it(
          `${mode}: the parts make the total, nothing is negative, no discount exceeds its line`,
          () => {
            fc.assert(
              fc.property(anyCart({ pricesIncludeTax, roundAtSubtotal }, currency), (input) => {
                const totals = totalsOf(input)
                const sum =
                  totals.itemsTotal.minor + totals.shippingTotal.minor + totals.feesTotal.minor + totals.totalTax.minor
                if (!roundAtSubtotal) hold(totals.total.minor === sum, 'the parts make the total')
                // Each of the four shown parts is at most half a unit off, and the added taxes are rounded apart.
                else
                  hold(
                    totals.total.minor === 0 || Math.abs(totals.total.minor - sum) <= 3,
                    'the parts come close to the total',
                  )

                const exact = totals.exact.items + totals.exact.shipping + totals.exact.fees + totals.exact.tax
                const distance = BigInt(totals.total.minor) * totals.exact.unitsPerMinor - (exact > 0n ? exact : 0n)
                const within =
                  distance * 2n <= totals.exact.unitsPerMinor && distance * 2n >= -totals.exact.unitsPerMinor
                hold(within, 'the total is the exact sum, rounded once')

                for (const { exact: line, discount } of totals.lines) {
                  hold(line.total >= 0n && line.totalTax >= 0n && discount.minor >= 0, 'no line is negative')
                  hold(line.total <= line.subtotal, 'no discount raises a price')
                }
                hold(totals.total.minor >= 0, 'the total is not negative')

                const settled = settleTotals(totals)
                const { items, discount, shippingTotal, feesTotal, tax, total } = settled
                const parts = items.minor - discount.minor + shippingTotal.minor + feesTotal.minor + tax.minor
                hold(parts === total.minor && total.minor === totals.total.minor, 'settled parts make the total')
                const minors = (list: readonly { minor: number }[]) => list.reduce((all, { minor }) => all + minor, 0)
                const rows = [
                  ...settled.lines.flatMap((line) => [line.total, line.tax]),
                  ...settled.shipping.flatMap((line) => [line.cost, line.tax]),
                  ...settled.fees.flatMap((fee) => [fee.amount, fee.tax]),
                ]
                hold(minors(rows) === total.minor, 'the rows of an order make the total')
                const before = minors(settled.lines.map((line) => line.subtotal))
                const beforeTax = minors(settled.lines.map((line) => line.subtotalTax))
                const { discountTax, linesTax } = settled
                hold(before === items.minor, 'the goods before discounts are what their rows say')
                hold(beforeTax - discountTax.minor === linesTax.minor, 'the rows with tax make the total as well')
                const byCoupon = minors(settled.coupons.map((one) => one.discount))
                const taxByCoupon = minors(settled.coupons.map((one) => one.discountTax))
                hold(byCoupon === discount.minor, 'the rows of the coupons make the discount')
                hold(taxByCoupon === discountTax.minor, 'the rows of the coupons make its tax')
                hold(discountTax.minor >= 0, 'a discount takes no tax away')
                hold(input.coupons.length > 0 || discount.minor + discountTax.minor === 0, 'no coupon, no discount')
                const taxRows = settled.taxes.flatMap((row) => [row.items, row.shipping])
                hold(minors(taxRows) === tax.minor, 'the rows of the taxes make the tax')
                const byRate = settleRates(totals, settled)
                const feesByRate = settleFeeRates(totals, settled)
                const shares = (list: readonly RateShare[]) => minors(list.map(({ amount }) => amount))
                hold(
                  settled.lines.every(({ tax, subtotalTax }, index) => {
                    const line = byRate.lines[index]
                    return shares(line?.total ?? []) === tax.minor && shares(line?.subtotal ?? []) === subtotalTax.minor
                  }) &&
                    settled.shipping.every(({ tax }, index) => shares(byRate.shipping[index] ?? []) === tax.minor) &&
                    settled.fees.every(({ tax }, index) => shares(feesByRate[index] ?? []) === tax.minor),
                  'the rates of each line make its tax',
                )
                hold(Math.min(items.minor, discount.minor, shippingTotal.minor) >= 0, 'settled parts are not negative')
                if (!roundAtSubtotal) {
                  const onItems = [...byRate.lines.map(({ total }) => total), ...feesByRate].flat()
                  hold(
                    totals.taxes.every(
                      ({ rateId, items }) => shares(onItems.filter((share) => share.rateId === rateId)) === items.minor,
                    ),
                    'the lines and fees make the row of each rate',
                  )
                  hold(tax.minor === totals.totalTax.minor, 'settling moves no tax where lines are rounded')
                  hold(
                    settled.lines.every((line, index) => line.total.minor === totals.lines[index]?.total.minor),
                    'settling moves no line where lines are rounded',
                  )
                }
              }),
              { numRuns: cartsPerMode },
            )
          },
          size(15_000, 1_800_000),
        )
      }
    }
  }

  // Mutants run in code that counts its own steps.
  it.skipIf(process.env.MUTATION)(
    'a 10-line cart with a coupon and shipping takes less than a millisecond of processor time',
    () => {
      const lines = Array.from({ length: 10 }, (_, index) => line(`l${index}`, 1000 + index * 137, 1 + (index % 3)))
      const input = cart({ pricesIncludeTax: true }, [rate(1, 190_000)], lines, {
        coupons: [coupon(1, { type: 'percent', ppm: 125_000 })],
        shipping: flat(490),
      })
      for (let index = 0; index < 500; index++) totalsOf(input)
      const ms = processorMs(() => {
        for (let index = 0; index < 500; index++) totalsOf(input)
      })
      expect(ms / 500).toBeLessThan(1)
    },
  )
})
