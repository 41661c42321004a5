import { expect, it } from 'vitest'
import { freeUserName, isUserName, userNameBase, userNameCandidates } from './user-name.ts'

it('a user name is made from the names, else from the address', () => {
  expect(userNameBase('zoe@example.test', { first: 'Zoë', last: 'Müller-Lüdenscheidt' })).toBe(
    'zoe.muller-ludenscheidt',
  )
  expect(userNameBase('Ada.Lovelace+shop@example.test', { first: '', last: '' })).toBe('ada.lovelaceshop')
  expect(userNameBase('"@@"@example.test', { first: '', last: '' })).toBe('customer')
  expect(userNameBase('李@example.test', { first: '李', last: '小龙' })).toBe('customer')
})

it('a taken name is numbered', () => {
  expect(userNameCandidates('ada', 3)).toEqual(['ada', 'ada2', 'ada3'])
  expect(freeUserName(['ada', 'ada2', 'ada3'], new Set(['ada', 'ada2']))).toBe('ada3')
  expect(freeUserName(['ada'], new Set(['ada']))).toBeNull()
})

it('every made name is a valid one', () => {
  for (const email of ['a@b.test', '..x..@b.test', `${'long'.repeat(60)}@b.test`, "o'hara@b.test"]) {
    expect(isUserName(userNameBase(email, { first: '', last: '' }))).toBe(true)
  }
  for (const name of ['', ' ada', 'ada ', 'a<b', 'a\u0000b', 'x'.repeat(61), 'ä']) expect(isUserName(name)).toBe(false)
  for (const name of ['ada', 'Ada Lovelace', 'ada@example.test', 'a_b-c.d']) expect(isUserName(name)).toBe(true)
})
