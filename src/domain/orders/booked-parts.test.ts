import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BookedItem,
  bookedParts,
  grossOf,
  mergedByRate,
  netByRate,
  ownAmount,
  refundedParts,
  scaledParts,
} from './booked-parts.ts'

const item = (id: number, net: number, tax: number, change: Partial<BookedItem> = {}): BookedItem => ({
  id,
  kind: 'line',
  isService: false,
  net,
  tax,
  shares: tax === 0 ? [] : [{ ratePpm: 190_000, tax }],
  ...change,
})
const order = bookedParts([
  item(1, 2000, 380),
  item(2, 1000, 70, { shares: [{ ratePpm: 70_000, tax: 70 }] }),
  item(3, 500, 95, { kind: 'shipping' }),
])

describe('parts of an order for the books', () => {
  it('name a tax that no share explains as one of an unknown rate', () => {
    expect(bookedParts([item(1, 100, 30, { shares: [{ ratePpm: 70_000, tax: 7 }] })])[0]?.taxes).toEqual([
      { ratePpm: 70_000, tax: 7 },
      { ratePpm: null, tax: 23 },
    ])
  })

  it('give back what a refund names', () => {
    const back = refundedParts(order, { amount: 1190, items: [{ itemId: 1, net: 1000, tax: 190 }] })
    expect(back).toMatchObject([{ id: 1, net: -1000, tax: -190, taxes: [{ ratePpm: 190_000, tax: -190 }] }])
  })

  it('share a refund of an amount by net and taxes of all parts', () => {
    const back = refundedParts(order, { amount: 4045, items: [] })
    expect(mergedByRate(back.flatMap(({ taxes }) => taxes))).toEqual([
      { ratePpm: 70_000, tax: -70 },
      { ratePpm: 190_000, tax: -475 },
    ])
    expect(grossOf(refundedParts(order, { amount: 1, items: [] }))).toBe(-1)
  })

  it('share their net among several rates by what each tax is of', () => {
    const shares = [
      { ratePpm: 190_000, tax: 190 },
      { ratePpm: 70_000, tax: 35 },
    ]
    const [shipping] = bookedParts([item(1, 1500, 225, { kind: 'shipping', shares })])
    expect(shipping && netByRate(shipping)).toEqual([
      { ratePpm: 70_000, tax: 35, net: 500 },
      { ratePpm: 190_000, tax: 190, net: 1000 },
    ])
  })

  it('convert an order and its refunds by the value that it was placed with', () => {
    const worth = { total: 4045, baseTotal: 4450 }
    expect(grossOf(scaledParts(order, worth.baseTotal))).toBe(4450)
    expect(ownAmount(4045, worth)).toBe(4450)
    expect(ownAmount(1000, worth)).toBe(1100)
  })

  it('always add up to the cent: parts, refunds and conversions', () => {
    const figure = fc.integer({ min: -50_000, max: 5_000_000 })
    const rate = fc.constantFrom(70_000, 190_000, 200_000)
    const items = fc.array(
      fc.tuple(
        figure,
        fc.array(fc.record({ ratePpm: rate, tax: fc.nat(1_000_000) }), { maxLength: 3 }),
        fc.integer({ min: -1, max: 1 }),
      ),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(items, fc.nat(9_000_000), fc.nat(9_000_000), (rows, amount, base) => {
        const parts = bookedParts(
          rows.map(([net, shares, odd], id) =>
            item(
              id,
              net,
              shares.reduce((sum: number, { tax }) => sum + tax, odd),
              { shares },
            ),
          ),
        )
        expect(grossOf(parts)).toBe(
          rows.reduce((sum, [net, shares, odd]) => sum + net + odd + shares.reduce((all, { tax }) => all + tax, 0), 0),
        )
        expect(grossOf(refundedParts(parts, { amount, items: [] }))).toBe(0 - amount)
        expect(grossOf(scaledParts(parts, base))).toBe(base)
        const [first] = parts
        const named = { itemId: first?.id ?? 0, net: amount, tax: base }
        expect(grossOf(refundedParts(parts, { amount: amount + base, items: [named] }))).toBe(0 - amount - base)
        for (const part of parts.filter(({ taxes }) => taxes.length > 0))
          expect(netByRate(part).reduce((sum, one) => sum + one.net, 0)).toBe(part.net)
        for (const part of [...parts, ...scaledParts(parts, base), ...refundedParts(parts, { amount, items: [] })])
          expect(part.taxes.reduce((sum, { tax }) => sum + tax, 0)).toBe(part.tax)
      }),
    )
  })
})
