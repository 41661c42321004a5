import { describe, expect, it } from 'vitest'
import { passwordScore } from './password-score.ts'

describe('the strength of a password', () => {
  it.each(['', 'a', 'aaaaaaaaaaaa', '12345678', 'password', 'qwertyuiop', 'abcabcabcabc'])(
    '%s falls at once',
    (password) => {
      expect(passwordScore(password)).toBeLessThanOrEqual(1)
    },
  )

  it.each(['P@ssw0rd', 'Password2024', 'letmein123', 'Summer2025', 'qwerty123456', 'iloveyou!'])(
    '%s is guessed by its pattern',
    (password) => {
      expect(passwordScore(password)).toBeLessThan(3)
    },
  )

  it.each(['k7#mQ2vx', 'correct horse battery staple', 'tangerine-otter-41', 'zW9!pLr4T'])('%s holds', (password) => {
    expect(passwordScore(password)).toBeGreaterThanOrEqual(3)
  })

  it('what the account says of itself counts as known', () => {
    expect(passwordScore('lovelace1843')).toBeGreaterThanOrEqual(3)
    expect(passwordScore('lovelace1843', ['Lovelace'])).toBeLessThan(3)
  })

  it('more of the unknown is never worse', () => {
    for (const start of ['', 'password', 'k7#mQ', '1234']) {
      expect(passwordScore(`${start}vx9&hTzq`)).toBeGreaterThanOrEqual(passwordScore(start))
    }
  })

  it('a password of any length and alphabet is scored at once', () => {
    expect(passwordScore('ñandú-полёт-旅行-9')).toBe(4)
    expect(passwordScore('x'.repeat(10_000))).toBeLessThan(3)
  })
})
