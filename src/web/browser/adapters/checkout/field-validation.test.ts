import { describe, expect, it } from 'vitest'
import { isEmail, isPhone } from './field-validation.ts'

describe('an e-mail address', () => {
  it.each(['ada@shop.test', 'a.b+c@sub.shop.test', '"quoted name"@shop.test', 'jörg@bücher.example', 'ada@shop.test.'])(
    'may be %s',
    (text) => {
      expect(isEmail(text)).toBe(true)
    },
  )

  it.each([
    'ada',
    'ada@shop',
    '@shop.test',
    'a..b@shop.test',
    '.a@shop.test',
    'ada@-shop.test',
    'ada@shop.-',
    'a b@shop.test',
    'ada@shop..test',
    `${'a'.repeat(65)}@shop.test`,
    `${'é'.repeat(33)}@shop.test`,
    `ada@${'b'.repeat(64)}.test`,
    `ada@${'b.'.repeat(125)}test`,
  ])('may not be %s', (text) => {
    expect(isEmail(text)).toBe(false)
  })
})

describe('a phone number', () => {
  it.each(['+1 (555) 010-2000', '555/010.20#3', '555_010'])('may be %s', (text) => expect(isPhone(text)).toBe(true))
  it.each(['call me', '555a', '５５５'])('may not be %s', (text) => expect(isPhone(text)).toBe(false))
})
