import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanEmail, emailIdentity, emailPattern } from './email-identity.ts'

describe('an email address', () => {
  it.each([
    ['"pc"@example.test', 'pc@example.test'],
    ['"p\\c"@example.test', 'pc@example.test'],
    ['"a b"@example.test', '"a b"@example.test'],
    ['"a\\ b"@example.test', '"a b"@example.test'],
    ['"a\\"b"@example.test', '"a\\"b"@example.test'],
    ['""@example.test', '""@example.test'],
    ['"a"b"@example.test', '"a"b"@example.test'],
    ['x@example.com.', 'x@example.com'],
    ['p\u200Bc\u2060@exa\u00ADmple.test\u200E', 'pc@example.test'],
    ['ada＠example.test', 'ada@example.test'],
    [' Ada@Example.test ', 'Ada@Example.test'],
    ['x@example.com..', 'x@example.com..'],
    ['nobody', 'nobody'],
  ])('%j is stored as %j', (text, stored) => expect(cleanEmail(text)).toBe(stored))

  it('is one identity in every spelling', () => {
    const spellings = [
      'pc@example.test',
      '"pc"@example.test',
      'PC@Example.TEST',
      'p\u200Dc@example.test.',
      '"P\\c"@EXAMPLE.test',
    ]
    expect(new Set(spellings.map(emailIdentity))).toEqual(new Set(['pc@example.test']))
  })

  it('stays another one with another dot or tag, which some services tell apart', () => {
    expect(emailIdentity('p.c@example.test')).not.toBe(emailIdentity('pc@example.test'))
    expect(emailIdentity('pc+shop@example.test')).not.toBe(emailIdentity('pc@example.test'))
  })

  it('does not change when it is cleaned again', () => {
    const unit = fc.constantFrom('a', 'B', '"', '\\', '.', '@', ' ', '\u200B', 'é')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const once = cleanEmail(text)
        expect(cleanEmail(once)).toBe(once)
      }),
    )
  })

  it('of a list of allowed ones is compared in the same way, and keeps its stars', () => {
    expect(emailPattern('"PC"@example.test.')).toBe('pc@example.test')
    expect(emailPattern('*@Club\u200B.example')).toBe('*@club.example')
  })
})
