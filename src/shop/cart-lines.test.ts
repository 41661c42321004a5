import { describe, expect, it } from 'vitest'
import { withEmptyCart, withLine, withoutLine, withQuantities, withRestoredLine } from './cart-lines.ts'
import { type CartLine, emptySession } from './session-state.ts'

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
    expect(withEmptyCart(state, 1001)).toMatchObject({ lines: [], generation: 1, ownOrders: [1001] })
  })
})
