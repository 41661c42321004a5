import { describe, expect, it } from 'vitest'
import { postcodeMatches } from './postcode-rule.ts'

describe('postcodeMatches', () => {
  it.each([
    ['SW1A 1AA', 'SW1A 1AA', true],
    ['sw1a1aa', 'SW1A 1AA', true],
    ['SW1A 1AB', 'SW1A 1AA', false],
    ['CB23*', 'CB23 6AA', true],
    ['CB23*', 'CB2 3AA', false],
    ['CB2*', 'CB2 3AA', true],
    ['*', '90210', true],
    ['90210...90220', '90215', true],
    ['90210...90220', '90220', true],
    ['90210...90220', '90221', false],
    ['90210...90220', '902', false],
    ['90210...90220', '', false],
    ['1000...2000', '1500', true],
    ['BS1 1AA...BS5 9ZZ', 'BS3 4AB', true],
    ['BS1...BS5', 'BS6 1AA', false],
    ['1...2...3', '2', false],
    ['', '90210', false],
  ])('the rule "%s" and the postcode %s: %s', (rule, postcode, expected) => {
    expect(postcodeMatches(rule, postcode)).toBe(expected)
  })
})
