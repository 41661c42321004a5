import { describe, expect, it } from 'vitest'
import { isPaid, mayMovePayment } from './payment-state.ts'

describe('payment state', () => {
  it('goes from pending by way of authorising to paid', () => {
    expect(mayMovePayment('pending', 'authorising')).toBe(true)
    expect(mayMovePayment('authorising', 'paid')).toBe(true)
  })

  it('never leaves paid for pending, and never leaves refunded', () => {
    expect(mayMovePayment('paid', 'pending')).toBe(false)
    expect(mayMovePayment('refunded', 'paid')).toBe(false)
  })

  it('needs a person when money arrives for an order that was given up', () => {
    expect(mayMovePayment('failed', 'attention')).toBe(true)
    expect(mayMovePayment('failed', 'paid')).toBe(false)
  })

  it('counts a disputed payment as paid until it is decided', () => {
    expect(isPaid('disputed')).toBe(true)
    expect(isPaid('review')).toBe(false)
  })
})
