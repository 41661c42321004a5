import { expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import { systemChance } from '#server/operations/startup/environment.ts'
import { hashPassword, isOutdated, isPassword } from './password.ts'

const tools = (argon2: object = {}) => ({
  chance: systemChance,
  settings: shopSettings.parse({ accounts: { argon2 } }),
})
const cheap = tools({ memoryKiB: 7168, passes: 1 })

it('a stored password fits the one it was made of, in whatever form its letters came, and no other', async () => {
  const stored = await hashPassword(cheap, 'se\u0301same ouvre-toi')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=7168,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await isPassword(cheap, 's\u00e9same ouvre-toi', stored)).toBe(true)
  for (const wrong of ['', 'sesame ouvre-toi', 's\u00e9same ouvre-toi ', 'S\u00e9same ouvre-toi']) {
    expect(await isPassword(cheap, wrong, stored)).toBe(false)
  }
})

it('the same password is never stored alike, and where none is stored none fits', async () => {
  expect(await hashPassword(cheap, 'tangerine')).not.toBe(await hashPassword(cheap, 'tangerine'))
  expect(await isPassword(cheap, '', null)).toBe(false)
})

it('at another cost a password still fits, and is known to be outdated', async () => {
  const stored = await hashPassword(cheap, 'tangerine')
  expect(isOutdated(cheap, stored)).toBe(false)
  expect(isOutdated(tools(), stored)).toBe(true)
  expect(await isPassword(tools(), 'tangerine', stored)).toBe(true)
})

it('T32 many at once are all answered, and rightly', async () => {
  const stored = await hashPassword(cheap, 'tangerine')
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, place) => isPassword(cheap, place % 2 ? 'tangerine' : 'lemon', stored)),
  )
  expect(answers).toEqual(Array.from({ length: 20 }, (_, place) => place % 2 === 1))
})

it('what no password can be stored as is an error, not a wrong password', async () => {
  await expect(isPassword(cheap, 'x', 'md5:abc')).rejects.toThrow('unknown form')
})
