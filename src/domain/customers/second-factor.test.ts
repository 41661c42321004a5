import { describe, expect, it } from 'vitest'
import { needsSecondFactor, owedFactor } from './second-factor.ts'

describe('T14 who needs a second factor', () => {
  it.each([
    ['https://shop.example', true],
    ['https://localhost:3000', true],
    ['http://shop.example', true],
    ['http://127.evil.example', true],
    ['http://localhost.evil.example', true],
    ['http://localhost:3000', false],
    ['http://127.0.0.1:3000', false],
    ['http://[::1]:3000', false],
  ])('left to the shop at %s: %s', (url, needed) => {
    expect(needsSecondFactor('auto', url)).toBe(needed)
    expect(needsSecondFactor('required', url)).toBe(true)
    expect(needsSecondFactor('optional', url)).toBe(false)
  })

  it('customers owe nothing, staff a code or the enrolment', () => {
    const staff = { role: 'translator', enrolled: false, shown: false } as const
    expect(owedFactor(staff, true)).toBe('enrolment')
    expect(owedFactor(staff, false)).toBeNull()
    // A factor shown before its removal does not count.
    expect(owedFactor({ ...staff, shown: true }, true)).toBe('enrolment')
    for (const required of [true, false]) {
      expect(owedFactor({ ...staff, enrolled: true }, required)).toBe('code')
      expect(owedFactor({ ...staff, enrolled: true, shown: true }, required)).toBeNull()
      expect(owedFactor({ role: 'customer', enrolled: true, shown: false }, required)).toBeNull()
    }
  })
})
