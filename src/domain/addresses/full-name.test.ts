import { describe, expect, it } from 'vitest'
import { asksFamilyFirst, fullName, greetedName, splitFullName } from './full-name.ts'

describe('the provider', () => {
  it('ADDR-09 a full name is everything before the last space, and the last word', () => {
    expect(splitFullName('Ann Mary Bee')).toEqual({ first_name: 'Ann Mary', last_name: 'Bee' })
    expect(splitFullName('  Cher ')).toEqual({ first_name: '', last_name: 'Cher' })
    expect(splitFullName('')).toEqual({ first_name: '', last_name: '' })
    expect(fullName(splitFullName('Ann Bee'))).toBe('Ann Bee')
  })

  it('a name that is written family first stays so, and comes apart so', () => {
    const hana = { first_name: '花', last_name: '青木' }
    expect(fullName(hana)).toBe('青木 花')
    expect([splitFullName('青木　花'), splitFullName('김 민준')]).toEqual([
      hana,
      { first_name: '민준', last_name: '김' },
    ])
    // A wallet has its own name order, and sends the owner's name parts separately.
    expect([splitFullName('花 青木', hana), splitFullName('青木 花', hana)]).toEqual([hana, hana])
    expect(splitFullName('김 민준', hana)).toEqual({ first_name: '민준', last_name: '김' })
    // A foreign name in katakana, and a Japanese one in Latin letters.
    const maria = { first_name: 'マリア', last_name: 'ガルシア' }
    expect([fullName(maria), splitFullName('マリア ガルシア')]).toEqual(['マリア ガルシア', maria])
    expect(fullName({ first_name: 'Hana', last_name: 'Aoki' })).toBe('Hana Aoki')
    expect([fullName({ first_name: '花', last_name: '' }), fullName({ first_name: '', last_name: '青木' })]).toEqual([
      '花',
      '青木',
    ])
  })

  it('a letter calls nobody by the first name alone where that is for friends', () => {
    const [hana, ada] = [
      { first_name: '花', last_name: '青木' },
      { first_name: 'Ada', last_name: 'Lind' },
    ]
    expect([greetedName(hana, 'ja-JP'), greetedName(hana, 'de-DE')]).toEqual(['青木 花', '青木 花'])
    expect([greetedName(ada, 'ja'), greetedName(ada, 'de-DE'), greetedName(ada, 'jam')]).toEqual([
      'Ada Lind',
      'Ada',
      'Ada',
    ])
    expect(['ja-JP', 'hu', 'de', 'jam'].map(asksFamilyFirst)).toEqual([true, true, false, false])
  })
})
