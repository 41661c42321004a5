import { describe, expect, it } from 'vitest'
import { commonPasswords } from './common-passwords.ts'
import { passwordFault } from './password-rules.ts'
import { passwordScore } from './password-score.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const faultOf = (password: string) => passwordFault({ breachedPasswords: null, log }, password, [])

describe('T32 what a new password must be', () => {
  it('none of the three thousand commonest, in whatever case', async () => {
    const commonest = commonPasswords.trim().split(/\s/).slice(0, 3000)
    expect(commonest).toContain('jennifer')
    const wants = (password: string) =>
      Promise.all(
        [password, password.toUpperCase(), password.slice(0, 1).toUpperCase() + password.slice(1)].map(faultOf),
      )
    const taken = (await Promise.all(commonest.map(async (password) => ({ password, faults: await wants(password) }))))
      .filter(({ faults }) => faults.includes(null))
      .map(({ password }) => password)
    expect(taken).toEqual([])
    // Some of them look strong: only the list rejects those.
    expect(commonest.filter((password) => passwordScore(password) >= 3).length).toBeGreaterThan(1000)
    expect(await faultOf('Corvette')).toBe('password-known')
  })

  it('the list is of whole passwords: what holds one is judged by itself', async () => {
    expect(await faultOf('corvette samantha maverick')).toBeNull()
    expect(await faultOf('corvettes-of-navarre')).toBeNull()
    expect(await faultOf('orvette maveric')).toBeNull()
  })

  it('eight characters at least, as people count them, and the meter in the browser says the same', async () => {
    for (const short of ['k7#mQ2v', 'ñ7#mQ2v', 'n\u03037#mQ2v', '😀🦊🐙🍋', '旅行四日']) {
      expect([short, await faultOf(short)]).toEqual([short, 'password-short'])
      expect([short, passwordScore(short) < 3]).toEqual([short, true])
    }
    expect(await faultOf('k7#mQ2vx')).toBeNull()
    expect(await faultOf('')).toBe('password-missing')
    expect(await faultOf(`k7#mQ2vx${'x'.repeat(600)}`)).toBe('password-weak')
  })
})
