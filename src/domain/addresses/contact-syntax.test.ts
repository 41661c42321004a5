import { describe, expect, it } from 'vitest'
import { isEmail, isPhone } from './contact-syntax.ts'

describe('contact syntax', () => {
  it('takes phone numbers in the usual writings', () => {
    expect(['+1 (415) 555-0100', '0800/123.456 #7', '\u202a+49\u202c 30', ''].every(isPhone)).toBe(true)
    expect(['call me', '+1 415x2', '٣'].some(isPhone)).toBe(false)
  })

  it('takes plain, quoted and foreign addresses', () => {
    expect(
      ['a@b.co', "o'neil+x@mail.example.com", '"a b"@c.test', 'jörg@exämple.de'].filter((email) => !isEmail(email)),
    ).toEqual([])
    expect(
      [
        '',
        'a',
        'a@b',
        '@b.co',
        'a@-b.co',
        'a@b.c-',
        'a..b@c.de',
        '.a@b.co',
        'a b@c.de',
        'a@b..co',
        'a@b.co.',
        `${'a'.repeat(300)}@b.co`,
      ].filter(isEmail),
    ).toEqual([])
    expect(isEmail(`${'a.'.repeat(120)}!@b`)).toBe(false)
  })

  it.each([
    ['64 octets before the @', `${'a'.repeat(64)}@b.co`, `${'a'.repeat(65)}@b.co`],
    ['64 octets, not letters', `${'é'.repeat(32)}@b.co`, `${'é'.repeat(33)}@b.co`],
    ['63 octets of a label', `a@${'b'.repeat(63)}.co`, `a@${'b'.repeat(64)}.co`],
    ['63 octets of a label as it is looked up', `a@${'ü'.repeat(40)}.co`, `a@${'b-ü'.repeat(20)}.co`],
    ['254 octets in all', `a@${'b.'.repeat(125)}co`, `a@${'b.'.repeat(126)}co`],
  ])('takes %s, as RFC 5321 does, and no more', (_, most, tooMany) => {
    expect([isEmail(most), isEmail(tooMany)]).toEqual([true, false])
  })
})
