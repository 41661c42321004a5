import { describe, expect, it } from 'vitest'
import { isAllowedTransition, needsPayment, paidStatus, takesStock } from './order-status.ts'

describe('order status', () => {
  it('lets a pending order be paid, and never a refunded one', () => {
    expect(isAllowedTransition('pending', 'processing')).toBe(true)
    expect(isAllowedTransition('refunded', 'processing')).toBe(false)
  })

  it('asks for money only while something is owed', () => {
    expect(needsPayment({ status: 'pending', totalMinor: 100 })).toBe(true)
    expect(needsPayment({ status: 'pending', totalMinor: 0 })).toBe(false)
    expect(needsPayment({ status: 'processing', totalMinor: 100 })).toBe(false)
  })

  it('is done at once when every line is virtual and downloadable', () => {
    const file = { virtual: true, downloadable: true }
    expect(paidStatus([file])).toBe('completed')
    expect(paidStatus([file, { virtual: true, downloadable: false }])).toBe('processing')
    expect(paidStatus([])).toBe('processing')
  })

  it('takes stock for orders that are being fulfilled', () => {
    expect(['processing', 'on-hold', 'completed'].every((status) => takesStock(status as 'processing'))).toBe(true)
    expect(takesStock('pending')).toBe(false)
  })
})
