import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type StatedFigures, type StatedLine, settleImportedFigures } from './imported-figures.ts'

const line = (subtotal: number, change: Partial<StatedLine> = {}): StatedLine => ({
  subtotal,
  subtotalTax: null,
  total: null,
  totalTax: null,
  taxable: true,
  ...change,
})
const stated = (change: Partial<StatedFigures>): StatedFigures => ({
  currency: 'EUR',
  lines: [],
  shipping: [],
  fees: [],
  discount: 0,
  tax: null,
  total: null,
  pricesIncludeTax: null,
  ...change,
})

describe('figures of an order of another shop', () => {
  it('keeps the figures of lines that state everything', () => {
    const lines = [{ subtotal: 2000, subtotalTax: 380, total: 1800, totalTax: 342, taxable: true }]
    const settled = settleImportedFigures(stated({ lines, shipping: [{ total: 500, tax: 95 }], total: 2737 }))
    expect(settled).toMatchObject({ lines: [{ subtotal: 2000, total: 1800, totalTax: 342 }], tax: 437, difference: 0 })
  })

  it('adds a stated tax where the total is larger than the prices', () => {
    const settled = settleImportedFigures(
      stated({ lines: [line(2000), line(1000)], shipping: [{ total: 500, tax: null }], tax: 665, total: 4165 }),
    )
    expect(settled).toMatchObject({
      lines: [
        { total: 2000, totalTax: 380, subtotalTax: 380 },
        { total: 1000, totalTax: 190 },
      ],
      shipping: [{ total: 500, tax: 95 }],
      difference: 0,
      pricesIncludeTax: false,
    })
  })

  it('takes a stated tax out of the prices where they are the total', () => {
    const settled = settleImportedFigures(stated({ lines: [line(2380), line(1190)], tax: 570, total: 3570 }))
    expect(settled).toMatchObject({
      lines: [
        { total: 2000, totalTax: 380 },
        { total: 1000, totalTax: 190 },
      ],
      difference: 0,
      pricesIncludeTax: true,
    })
  })

  it('shares the discount of an order by the prices, and never beyond them', () => {
    const settled = settleImportedFigures(stated({ lines: [line(2000), line(1000)], discount: 1000, total: 2000 }))
    expect(settled.lines.map(({ total }) => total)).toEqual([1333, 667])
    expect(settleImportedFigures(stated({ lines: [line(500)], discount: 900 })).total).toBe(0)
  })

  it('taxes only the lines that are taxable', () => {
    const lines = [line(1000, { taxable: false }), line(1000)]
    const settled = settleImportedFigures(stated({ lines, tax: 190, total: 2190 }))
    expect(settled.lines.map(({ totalTax }) => totalTax)).toEqual([0, 190])
  })

  it('reports the part of the total that the file does not explain', () => {
    expect(settleImportedFigures(stated({ lines: [line(1000)], total: 1250 })).difference).toBe(250)
    expect(settleImportedFigures(stated({ lines: [line(1000)], total: 900 })).difference).toBe(-100)
  })

  it('always adds up to the total', () => {
    const figure = fc.integer({ min: 0, max: 10_000_000 })
    const maybe = fc.option(figure)
    const lines = fc.array(
      fc.record({ subtotal: figure, subtotalTax: maybe, total: maybe, totalTax: maybe, taxable: fc.boolean() }),
      { maxLength: 6 },
    )
    const charges = fc.array(fc.record({ total: figure, tax: maybe }), { maxLength: 3 })
    const any = fc.record({
      currency: fc.constant('EUR'),
      lines,
      shipping: charges,
      fees: charges,
      discount: figure,
      tax: maybe,
      total: maybe,
      pricesIncludeTax: fc.option(fc.boolean()),
    })
    fc.assert(
      fc.property(any, (one) => {
        const settled = settleImportedFigures(one)
        const lineSum = settled.lines.reduce((sum, { total, totalTax }) => sum + total + totalTax, 0)
        const chargeSum = [...settled.shipping, ...settled.fees].reduce((sum, { total, tax }) => sum + total + tax, 0)
        expect(lineSum + chargeSum + settled.difference).toBe(settled.total)
        expect(one.total === null || settled.total === one.total).toBe(true)
        expect([settled.lines.length, settled.shipping.length, settled.fees.length]).toEqual([
          one.lines.length,
          one.shipping.length,
          one.fees.length,
        ])
      }),
    )
  })
})
