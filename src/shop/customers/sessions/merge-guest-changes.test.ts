import { expect, it } from 'vitest'
import { carriedOver } from './merge-guest-changes.ts'
import { type CartLine, emptySession, type SessionState } from './session-state.ts'

const line = (key: string, quantity: number): CartLine => ({
  key,
  productId: 1,
  variationId: null,
  quantity,
  attributes: {},
  addedAt: 0,
})
const cart = (lines: Record<string, number>, more: Partial<SessionState> = {}): SessionState => ({
  ...emptySession,
  lines: Object.entries(lines).map(([key, quantity]) => line(key, quantity)),
  ...more,
})
const pieces = ({ lines }: SessionState) => Object.fromEntries(lines.map(({ key, quantity }) => [key, quantity]))

it.each([
  ['a piece more', { a: 1 }, { a: 2 }, { a: 1, saved: 3 }, { a: 2, saved: 3 }],
  ['something new', { a: 1 }, { a: 1, b: 2 }, { a: 1, saved: 3 }, { a: 1, saved: 3, b: 2 }],
  ['something that the customer has as well', {}, { saved: 1 }, { saved: 3 }, { saved: 4 }],
  ['a line taken out', { a: 2, b: 1 }, { b: 1 }, { saved: 3, a: 2, b: 1 }, { saved: 3, b: 1 }],
  ['an emptied cart takes nothing that was saved before', { a: 2 }, {}, { saved: 3, a: 2 }, { saved: 3 }],
  ['fewer than there are left', { a: 5 }, { a: 1 }, { a: 2 }, {}],
  ['taken out twice', { a: 1 }, {}, { saved: 3 }, { saved: 3 }],
] as const)('F23 carries over %s', (_what, before, after, customer, expected) => {
  expect(pieces(carriedOver(cart(customer), cart(before), cart(after)))).toEqual(expected)
})

it('F23 carries coupons and orders over, and leaves addresses, notices and exemption alone', () => {
  const billing = { ...emptySession.billing, city: 'Oakland' }
  const customer = cart({ a: 1 }, { coupons: ['kept', 'dropped'], ownOrders: [1001], billing, vatExempt: true })
  const before = cart({ a: 1 }, { coupons: ['dropped'] })
  const stranger = { ...emptySession.billing, city: 'Elsewhere' }
  const after = cart({ a: 1 }, { coupons: ['new'], ownOrders: [1002], billing: stranger, notices: [] })
  const next = carriedOver(customer, before, after)
  expect(next.coupons).toEqual(['kept', 'new'])
  expect(next.ownOrders).toEqual([1001, 1002])
  expect([next.billing, next.vatExempt]).toEqual([billing, true])
})

it('gives the very same value when there is nothing to carry over', () => {
  const customer = cart({ a: 1 })
  expect(carriedOver(customer, cart({ b: 1 }), { ...cart({ b: 1 }), customerNote: 'x' })).toBe(customer)
})
