import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChargedItem, planRefund, type RefundShare } from './plan-refund.ts'

// 3 × 3.33 with 10.00 for all three, 0.73 tax; shipping 6.90: 17.63 in all.
const items: ChargedItem[] = [
  { id: 1, quantity: 3, total: 1000, tax: 73 },
  { id: 2, quantity: 1, total: 690, tax: 0 },
]
const order = { rest: 1763, currency: 'USD', items, before: [] as RefundShare[] }

describe('planning a refund', () => {
  it('gives back everything with every line, parcel and tax', () => {
    expect(planRefund(order, { kind: 'full' })).toEqual({
      ok: true,
      amount: 1763,
      shares: [
        { itemId: 1, quantity: 3, total: 1000, tax: 73 },
        { itemId: 2, quantity: 1, total: 690, tax: 0 },
      ],
    })
  })

  it('gives back one of three pieces with its share of price and tax', () => {
    // 1000 × 1/3 = 333⅓ and 73 × 1/3 = 24⅓.
    expect(planRefund(order, { kind: 'lines', lines: [{ itemId: 1, quantity: 1 }] })).toEqual({
      ok: true,
      amount: 357,
      shares: [{ itemId: 1, quantity: 1, total: 333, tax: 24 }],
    })
  })

  it('gives back pieces only, where money went back for no line before', () => {
    const plan = planRefund({ ...order, rest: 1263 }, { kind: 'full' })
    expect(plan).toEqual({
      ok: true,
      amount: 1263,
      shares: [
        { itemId: 1, quantity: 3, total: 0, tax: 0 },
        { itemId: 2, quantity: 1, total: 0, tax: 0 },
      ],
    })
  })

  it('counts a rebate, which was charged below zero, where everything goes back', () => {
    const withRebate = { ...order, rest: 1563, items: [...items, { id: 3, quantity: 1, total: -200, tax: 0 }] }
    const plan = planRefund(withRebate, { kind: 'full' })
    expect(plan.ok && plan.amount).toBe(1563)
    expect(plan.ok && plan.shares.reduce((sum, { total, tax }) => sum + total + tax, 0)).toBe(1563)
  })

  it.each([1763, 0])('takes pieces that were free for nothing, with %i left of the money', (rest) => {
    const gift = { id: 3, quantity: 2, total: 0, tax: 0 }
    const plan = planRefund(
      { ...order, rest, items: [...items, gift] },
      { kind: 'lines', lines: [{ itemId: 3, quantity: 1 }] },
    )
    expect(plan).toEqual({ ok: true, amount: 0, shares: [{ itemId: 3, quantity: 1, total: 0, tax: 0 }] })
  })

  it.each([
    ['nothing-left', { ...order, rest: 0 }, { kind: 'lines', lines: [{ itemId: 1, quantity: 1 }] }],
    ['nothing-left', { ...order, rest: 0 }, { kind: 'full' }],
    ['above-rest', order, { kind: 'amount', minor: 1764 }],
    ['nothing-asked', order, { kind: 'amount', minor: 0 }],
    ['nothing-asked', order, { kind: 'amount', minor: 1.5 }],
    ['nothing-asked', order, { kind: 'amount', minor: Number.NaN }],
    ['nothing-asked', order, { kind: 'lines', lines: [] }],
    ['nothing-asked', order, { kind: 'lines', lines: [{ itemId: 1, quantity: -1 }] }],
    ['unknown-line', order, { kind: 'lines', lines: [{ itemId: 9, quantity: 1 }] }],
    ['more-pieces-than-left', order, { kind: 'lines', lines: [{ itemId: 1, quantity: 4 }] }],
    ['above-rest', { ...order, rest: 356 }, { kind: 'lines', lines: [{ itemId: 1, quantity: 1 }] }],
    [
      'unknown-line',
      order,
      {
        kind: 'lines',
        lines: [
          { itemId: 1, quantity: 2 },
          { itemId: 1, quantity: 2 },
        ],
      },
    ],
  ] as const)('refuses with %s', (reason, given, ask) => {
    expect(planRefund(given, ask)).toEqual({ ok: false, reason })
  })

  it('I1 pieces that come back in any portions sum to the cent to what was paid', () => {
    const item = fc.record({
      quantity: fc.integer({ min: 1, max: 9 }),
      total: fc.integer({ min: 1, max: 99_999 }),
      tax: fc.integer({ min: 0, max: 9_999 }),
    })
    const portions = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 30, maxLength: 30 })
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 4 }), portions, (given, sizes) => {
        const charged = given.map((one, id) => ({ id, ...one }))
        const total = charged.reduce((sum, one) => sum + one.total + one.tax, 0)
        const before: RefundShare[] = []
        let rest = total
        for (const size of sizes) {
          const open = charged.find((one) => pieces(before, one.id) < one.quantity)
          if (!open) break
          const quantity = Math.min(size, open.quantity - pieces(before, open.id))
          const plan = planRefund(
            { rest, currency: 'USD', items: charged, before },
            { kind: 'lines', lines: [{ itemId: open.id, quantity }] },
          )
          if (!plan.ok) throw new Error(plan.reason)
          rest -= plan.amount
          before.push(...plan.shares)
        }
        expect(rest).toBeGreaterThanOrEqual(0)
        if (charged.every((one) => pieces(before, one.id) === one.quantity)) expect(rest).toBe(0)
      }),
    )
  })
})

const pieces = (shares: readonly RefundShare[], id: number) =>
  shares.filter(({ itemId }) => itemId === id).reduce((sum, { quantity }) => sum + quantity, 0)
