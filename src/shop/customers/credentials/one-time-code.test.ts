import { describe, expect, it } from 'vitest'
import { base32, enrolmentLink, oneTimeCode, stepAt, stepOfCode } from './one-time-code.ts'

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
    expect(oneTimeCode(secret, stepAt(new Date(second * 1000)))).toBe(code)
  })

  // RFC 4226, appendix D.
  it('are those of counters', () => {
    expect([0, 1, 2, 9].map((step) => oneTimeCode(secret, step))).toEqual(['755224', '287082', '359152', '520489'])
  })

  it('count half a minute early and late, and each once', () => {
    const now = new Date(1_111_111_111_000)
    const here = stepAt(now)
    for (const off of [-1, 0, 1]) expect(stepOfCode(secret, oneTimeCode(secret, here + off), now, 0)).toBe(here + off)
    for (const off of [-2, 2]) expect(stepOfCode(secret, oneTimeCode(secret, here + off), now, 0)).toBeNull()
    expect(stepOfCode(secret, oneTimeCode(secret, here), now, here)).toBeNull()
    expect(stepOfCode(secret, oneTimeCode(secret, here - 1), now, here)).toBeNull()
    for (const typed of ['', '0', '0504711', 'abcdef', '05047']) expect(stepOfCode(secret, typed, now, 0)).toBeNull()
  })

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
    expect(enrolmentLink('Salt: & more', 'ida@example.test', 'MZXW6YTBOI')).toBe(
      'otpauth://totp/Salt%20%20%26%20more:ida%40example.test?secret=MZXW6YTBOI&issuer=Salt%20%20%26%20more' +
        '&algorithm=SHA1&digits=6&period=30',
    )
  })
})
