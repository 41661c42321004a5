import { describe, expect, it } from 'vitest'
import { type ThreeDSecureDecision, threeDSecureDecision } from './three-d-secure.ts'

const whenRequired = { request: 'SCA_WHEN_REQUIRED', decisions: {} } as const
const always = { request: 'SCA_ALWAYS', decisions: {} } as const

const said = (enrolled: string, authenticated: string, liability: string) => ({
  enrolled: enrolled || undefined,
  authenticated: authenticated || undefined,
  liability: liability || undefined,
})

describe('CARD-08', () => {
  const rows: [string, string, string, ThreeDSecureDecision][] = [
    ['Y', 'Y', 'POSSIBLE', 'continue'],
    ['Y', 'Y', 'YES', 'continue'],
    ['Y', 'A', 'POSSIBLE', 'continue'],
    ['Y', 'N', 'NO', 'reject'],
    ['Y', 'R', 'NO', 'reject'],
    ['Y', 'U', 'NO', 'retry'],
    ['Y', 'U', 'UNKNOWN', 'retry'],
    ['Y', 'C', 'NO', 'retry'],
    ['Y', 'C', 'UNKNOWN', 'retry'],
    ['Y', '', 'NO', 'retry'],
    ['N', '', 'NO', 'continue'],
    ['U', '', 'NO', 'continue'],
    ['B', '', 'NO', 'continue'],
    ['U', '', 'UNKNOWN', 'retry'],
    ['', '', 'UNKNOWN', 'retry'],
  ]
  it.each(rows)('CARD-08 enrolled "%s", authenticated "%s", liability "%s": %s', (one, two, three, decision) => {
    expect(threeDSecureDecision(said(one, two, three), whenRequired)).toBe(decision)
    expect(threeDSecureDecision(said(one, two, three), always)).toBe(decision)
  })

  it('CARD-08 without any 3-D Secure the shop goes on where it is asked for when required, and stops where always', () => {
    expect(threeDSecureDecision(null, whenRequired)).toBe('continue')
    expect(threeDSecureDecision({}, whenRequired)).toBe('continue')
    expect(threeDSecureDecision(null, always)).toBe('retry')
  })

  it('CARD-08 what no table names stops the payment', () => {
    expect(threeDSecureDecision(said('Y', 'D', 'POSSIBLE'), whenRequired)).toBe('retry')
    expect(threeDSecureDecision(said('toString', '', ''), whenRequired)).toBe('retry')
  })

  it('CARD-08 the merchant may decide a row otherwise', () => {
    const strict = {
      request: 'SCA_WHEN_REQUIRED',
      decisions: { N__NO: 'reject', Y_N_NO: 'retry', __: 'reject' },
    } as const
    expect(threeDSecureDecision(said('N', '', 'NO'), strict)).toBe('reject')
    expect(threeDSecureDecision(said('Y', 'N', 'NO'), strict)).toBe('retry')
    expect(threeDSecureDecision(null, strict)).toBe('reject')
    expect(threeDSecureDecision(said('Y', 'Y', 'POSSIBLE'), strict)).toBe('continue')
  })
})
