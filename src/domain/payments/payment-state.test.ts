import { describe, expect, it } from 'vitest'
import { isAllowedPaymentTransition, isPaid } from './payment-state.ts'

describe('payment state', () => {
  it('goes from pending by way of authorising to paid', () => {
    expect(isAllowedPaymentTransition('pending', 'authorising')).toBe(true)
    expect(isAllowedPaymentTransition('authorising', 'paid')).toBe(true)
  })

  it('never leaves paid for pending, and never leaves refunded', () => {
    expect(isAllowedPaymentTransition('paid', 'pending')).toBe(false)
    expect(isAllowedPaymentTransition('refunded', 'paid')).toBe(false)
  })

  it('needs a person when money arrives for an order that was given up', () => {
    expect(isAllowedPaymentTransition('failed', 'attention')).toBe(true)
    expect(isAllowedPaymentTransition('failed', 'paid')).toBe(false)
  })

  it('counts a disputed payment as paid until it is decided', () => {
    expect(isPaid('disputed')).toBe(true)
    expect(isPaid('review')).toBe(false)
  })
})
