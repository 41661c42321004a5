import { describe, expect, it } from 'vitest'
import { type Expected, type Reported, validateCapture } from './check-capture.ts'

const expected: Expected = { orderId: 1042, amountMinor: 3350, currency: 'USD', environment: 'sandbox', payee: 'M1' }
const reported: Reported = {
  customId: '1042',
  status: 'COMPLETED',
  amountMinor: 3350,
  currency: 'USD',
  environment: 'sandbox',
  payee: 'M1',
}

describe('judging a capture', () => {
  it('accepts a capture whose every figure is the expected one', () => {
    expect(validateCapture(expected, reported)).toEqual({ state: 'captured' })
  })

  it.each([
    ['order', { customId: '1043' }],
    ['amount', { amountMinor: 3349 }],
    ['currency', { currency: 'EUR' }],
    ['environment', { environment: 'live' }],
    ['payee', { payee: 'M2' }],
  ] as const)('P3 asks for a person when the %s differs', (mismatch, difference) => {
    expect(validateCapture(expected, { ...reported, ...difference })).toEqual({ state: 'attention', mismatch })
  })

  it('keeps an order in review while the provider looks at the payment', () => {
    expect(validateCapture(expected, { ...reported, status: 'PENDING' })).toEqual({ state: 'review' })
  })

  it('takes a declined capture for no payment at all', () => {
    expect(validateCapture(expected, { ...reported, status: 'DECLINED', amountMinor: 0 })).toEqual({ state: 'failed' })
  })
})
