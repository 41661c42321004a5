import { describe, expect, it } from 'vitest'
import { money } from '../money/money.ts'
import { type FeeFacts, type FeeRule, feesFor } from './fee-rules.ts'

const euro = (minor: number) => money(minor, 'EUR')
const rule = (charge: FeeRule['charge'], when: Partial<FeeRule['when']> = {}): FeeRule => ({
  name: 'Fee',
  charge,
  taxable: true,
  taxClass: '',
  when: { minSubtotal: null, maxSubtotal: null, paymentMethod: null, country: null, needsShipping: null, ...when },
})
const facts: FeeFacts = {
  goods: euro(2401),
  displayedSubtotal: euro(3000),
  paymentMethod: 'cod',
  country: 'US',
  state: 'CA',
  needsShipping: true,
}
const amounts = (rules: FeeRule[], more: Partial<FeeFacts> = {}) =>
  feesFor(rules, { ...facts, ...more }).map(({ amount }) => amount.minor)
const one = { kind: 'amount', amount: euro(100) } as const

describe('feesFor', () => {
  it('charges amounts and shares of the goods, in the merchant’s order, and nothing for nothing', () => {
    // 24.01 × 0.029 = 0.69629; 24.01 × −0.5 = −12.005, halves away from zero
    const share = (ppm: number): FeeRule => rule({ kind: 'percent', ppm })
    expect(amounts([rule(one), share(29_000), share(-500_000), share(0), share(1)])).toEqual([100, 70, -1201])
  })

  it.each([
    [{ minSubtotal: euro(3000) }, 1],
    [{ minSubtotal: euro(3001) }, 0],
    [{ maxSubtotal: euro(3000) }, 1],
    [{ maxSubtotal: euro(2999) }, 0],
    [{ paymentMethod: 'cod' }, 1],
    [{ paymentMethod: 'ppcp' }, 0],
    [{ country: 'US' }, 1],
    [{ country: 'US:CA' }, 1],
    [{ country: 'US:NY' }, 0],
    [{ country: 'CA' }, 0],
    [{ needsShipping: true }, 1],
    [{ needsShipping: false }, 0],
    [{ paymentMethod: 'cod', country: 'DE' }, 0],
  ] satisfies [Partial<FeeRule['when']>, number][])('applies when all that is set holds: %j → %s', (when, count) => {
    expect(amounts([rule(one, when)])).toHaveLength(count)
  })

  it('a condition on the way of paying waits until one is chosen', () => {
    expect(amounts([rule(one, { paymentMethod: 'cod' })], { paymentMethod: '' })).toEqual([])
  })
})
