import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bothPrices } from './price-display.ts'
import type { TaxRate } from './tax-rate.ts'

const rate = (ratePpm: number, compound = false): TaxRate => ({
  id: ratePpm,
  code: '',
  label: '',
  ratePpm,
  compound,
  shipping: true,
})
const entered = { pricesIncludeTax: false, roundAtSubtotal: false }

describe('bothPrices', () => {
  it.each([
    // 10.00 + 19 %
    [1000, [190_000], false, false, 1190, 1000],
    // 0.10 + 5 % = 0.005, half up
    [10, [50_000], false, false, 11, 10],
    // 0.10 + 4 % + 4 %: two taxes of 0.004 are nothing each, and 0.008 together
    [10, [40_000, 40_001], false, false, 10, 10],
    [10, [40_000, 40_001], false, true, 11, 10],
    // 10.00 / 1.25
    [1000, [250_000], true, false, 1000, 800],
    // 0.01 at 100 % is half a cent net, which is shown half up
    [1, [1_000_000], true, false, 1, 1],
    // 12.49 / 1.21 = 10.3223…
    [1249, [210_000], true, false, 1249, 1032],
    [500, [], true, false, 500, 500],
  ])('%s entered, taxed with %s ppm, included: %s, at the subtotal: %s → %s with, %s without', (...row) => {
    const [minor, ppms, pricesIncludeTax, roundAtSubtotal, incl, excl] = row
    const rates = ppms.map((ppm) => rate(ppm))
    expect(bothPrices(minor, rates, { pricesIncludeTax, roundAtSubtotal })).toEqual({ incl, excl })
  })

  it('M8 what is put on comes off again, within half a unit for each rate', () => {
    const lists = fc.array(fc.tuple(fc.integer({ min: 0, max: 400_000 }), fc.boolean()), { maxLength: 3 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), lists, (minor, list) => {
        const rates = list.map(([ppm, compound]) => rate(ppm, compound))
        const { incl } = bothPrices(minor, rates, entered)
        const { excl } = bothPrices(incl, rates, { ...entered, pricesIncludeTax: true })
        expect(Math.abs(excl - minor)).toBeLessThanOrEqual(Math.ceil(rates.length / 2))
      }),
    )
  })
})
