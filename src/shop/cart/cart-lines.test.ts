import { describe, expect, it } from 'vitest'
import { type CartLine, emptySession } from '../customers/sessions/session-state.ts'
import { withLine, withoutLine, withoutPurchasedLines, withQuantities, withRestoredLine } from './cart-lines.ts'

const line = (key: string, quantity = 1): CartLine => ({
  key,
  productId: 1,
  variationId: null,
  quantity,
  attributes: {},
  addedAt: 0,
})

describe('the lines of a cart', () => {
  it('grows a line that is already there instead of adding another', () => {
    const state = withLine(withLine(emptySession, line('a', 2)), line('a', 3))
    expect(state.lines.map(({ quantity }) => quantity)).toEqual([5])
  })

  it('never holds more than ten thousand pieces of a line', () => {
    expect(withLine(emptySession, line('a', 50_000)).lines[0]?.quantity).toBe(10_000)
  })

  it('puts a removed line back as it was', () => {
    const removed = withoutLine(withLine(emptySession, line('a', 4)), 'a')
    expect(removed.lines).toEqual([])
    expect(withRestoredLine(removed, 'a').lines).toEqual([line('a', 4)])
  })

  it('restores nothing twice', () => {
    const restored = withRestoredLine(withoutLine(withLine(emptySession, line('a')), 'a'), 'a')
    expect(withRestoredLine(restored, 'a')).toBe(restored)
  })

  it('takes a line out when its quantity becomes nothing, and leaves unknown keys alone', () => {
    const state = withLine(emptySession, line('a'))
    expect(withQuantities(state, new Map([['a', 0]])).lines).toEqual([])
    expect(withQuantities(state, new Map([['b', 5]]))).toBe(state)
  })

  it('makes the next purchase of the same things a new intention', () => {
    const state = withLine(emptySession, line('a'))
    const bought = { orderId: 1001, lines: [line('a')], coupons: [] }
    expect(withoutPurchasedLines(state, bought)).toMatchObject({ lines: [], generation: 1, ownOrders: [1001] })
  })

  it('keeps what was put in beside that which was bought', () => {
    const more = { ...line('b', 2), productId: 2 }
    const blue = { ...line('c'), variationId: 7, attributes: { colour: 'blue' } }
    const cart = { ...emptySession, lines: [line('a', 5), more, blue], coupons: ['used', 'new'], awaitingOrder: 1002 }
    const red = { ...blue, attributes: { colour: 'red' } }
    const left = withoutPurchasedLines(cart, { orderId: 1001, lines: [line('a', 3), red], coupons: ['used'] })
    expect(left).toMatchObject({ lines: [line('a', 2), more, blue], coupons: ['new'], awaitingOrder: 1002 })
    const rest = { orderId: 1002, lines: [line('a', 9), more, blue], coupons: [] }
    expect(withoutPurchasedLines(left, rest)).toMatchObject({ lines: [], coupons: [], awaitingOrder: null })
  })
})
