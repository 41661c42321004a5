import { describe, expect, it } from 'vitest'
import { codeOf } from '#tests/support/customers/second-factor.ts'
import { base32, enrolmentLink, stepOfCode } from './one-time-code.ts'

const secret = Buffer.from('12345678901234567890')

describe('T14 codes of half a minute', () => {
  // RFC 6238, appendix B: the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %s is %s', (second, code) => {
    expect(stepOfCode(secret, code, new Date(second * 1000), 0)).toBe(Math.floor(second / 30))
  })

  it('count half a minute early and late, and each once', () => {
    const now = new Date(1_111_111_111_000)
    const here = 37_037_037
    const codeAt = (step: number) => codeOf(base32(secret), new Date(step * 30_000))
    for (const off of [-1, 0, 1]) expect(stepOfCode(secret, codeAt(here + off), now, 0)).toBe(here + off)
    for (const off of [-2, 2]) expect(stepOfCode(secret, codeAt(here + off), now, 0)).toBeNull()
    expect(stepOfCode(secret, codeAt(here), now, here)).toBeNull()
    expect(stepOfCode(secret, codeAt(here - 1), now, here)).toBeNull()
    expect(stepOfCode(secret, codeAt(here + 1), now, here)).toBe(here + 1)
  })

  it('are refused while the clock is behind the last one', () => {
    expect(stepOfCode(secret, '050471', new Date(1_111_111_111_000), 37_037_100)).toBeNull()
  })

  it.each(['', '0', '0504711', 'abcdef', '05047', ' 50471', '٠٥٠٤٧١', '050471\n', '5.0e71'])(
    'are six digits and nothing else: %j',
    (typed) => {
      expect(stepOfCode(secret, typed, new Date(1_111_111_111_000), 0)).toBeNull()
    },
  )

  // RFC 4648, chapter 10.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foobar', 'MZXW6YTBOI'],
  ])('a secret is written in letters: %s', (text, written) => {
    expect(base32(Buffer.from(text))).toBe(written)
  })

  it('a link names shop and account', () => {
    const link = enrolmentLink('Salt: & more', 'i:da@example.test', 'MZXW6YTBOI')
    expect(link).toBe(
      'otpauth://totp/Salt%20%20%26%20more:i%20da%40example.test?secret=MZXW6YTBOI&issuer=Salt%20%20%26%20more',
    )
  })
})
