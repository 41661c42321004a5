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
    expect(postcodeMatches(rule, postcode, '')).toBe(expected)
  })

  it.each([
    ['94102...94134', '94107-1234', 'US', true],
    ['94102...94134', '941071234', 'US', true],
    ['94102...94134', '94135-0001', 'US', false],
    ['94102...94107', '94107-9999', 'US', true],
    ['501...601', '00544-1234', 'US', true],
    ['94107', '94107-1234', 'US', true],
    ['94107', '94108-1234', 'US', false],
    ['9410*', '94107-1234', 'US', true],
    ['94107-1234', '94107-1234', 'US', true],
    ['94107-1234', '94107', 'US', false],
    ['94107-1234', '94107-1235', 'US', false],
    ['94107-1000...94107-2000', '94107-1234', 'US', true],
    ['94107-1000...94107-2000', '94107-3000', 'US', false],
    ['94106-0000...94107-2000', '94107-3000', 'US', false],
    ['94107...94108-2000', '94107-3000', 'US', true],
    ['00900...00988', '00901-1234', 'PR', true],
    // Not every country separates the four digits (`formatPostcode`).
    ['96910...96932', '969131234', 'GU', true],
    ['14200', '14200-1234', 'MN', true],
    // Nine digits elsewhere are no five with four more.
    ['94102...94134', '941071234', 'DE', false],
  ])('a ZIP+4 belongs to its first five digits: "%s" and %s in %s: %s', (rule, postcode, country, expected) => {
    expect(postcodeMatches(rule, postcode, country)).toBe(expected)
  })

  it.each([
    ['1010', 'LV-1010', 'LV', true],
    ['1001...1099', 'LV-1010', 'LV', true],
    ['LV-1001...LV-1099', 'LV-1010', 'LV', true],
    ['LV-10*', 'LV-1010', 'LV', true],
    ['LV*', 'LV-1010', 'LV', true],
    ['10*', 'LV-1010', 'LV', true],
    ['1001...1099', 'LV-2010', 'LV', false],
    ['1000...1499', 'DK-1050', 'DK', true],
    ['DK-1050', '1050', 'DK', true],
    ['110 00', 'CZ-110 00', 'CZ', true],
    ['111 22', 'SE111 22', 'SE', true],
    ['81101', 'SK-811 01', 'SK', true],
    ['1010', 'LV-1010', 'LT', false],
  ])(
    'a postcode is the same with its country’s letters: "%s" and %s in %s: %s',
    (rule, postcode, country, expected) => {
      expect(postcodeMatches(rule, postcode, country)).toBe(expected)
    },
  )
})
