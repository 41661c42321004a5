import { describe, expect, it } from 'vitest'
import { mailsOfTransition } from './order-mails.ts'
import { orderStatuses } from './order-status.ts'

describe('emails of a transition', () => {
  it.each([
    ['pending', 'processing', ['customer_processing_order', 'new_order']],
    ['pending', 'on-hold', ['customer_on_hold_order', 'new_order']],
    ['pending', 'completed', ['customer_completed_order', 'new_order']],
    ['on-hold', 'processing', ['customer_processing_order']],
    ['processing', 'completed', ['customer_completed_order']],
    ['on-hold', 'completed', ['customer_completed_order']],
    ['pending', 'cancelled', ['cancelled_order']],
    ['on-hold', 'cancelled', ['customer_cancelled_order', 'cancelled_order']],
    ['processing', 'cancelled', ['customer_cancelled_order', 'cancelled_order']],
    ['pending', 'failed', ['customer_failed_order', 'failed_order']],
    ['on-hold', 'failed', ['customer_failed_order', 'failed_order']],
    ['processing', 'failed', ['customer_failed_order']],
    ['cancelled', 'processing', ['customer_processing_order', 'new_order']],
    ['failed', 'on-hold', ['customer_on_hold_order', 'new_order']],
    ['processing', 'refunded', []],
    ['failed', 'cancelled', []],
    ['checkout-draft', 'pending', []],
    ['processing', 'on-hold', []],
  ] as const)('from %s to %s', (from, to, mails) => {
    expect(mailsOfTransition(from, to)).toEqual(mails)
  })

  it('says nothing of an order that stays', () => {
    for (const status of orderStatuses) expect(mailsOfTransition(status, status)).toEqual([])
  })
})
