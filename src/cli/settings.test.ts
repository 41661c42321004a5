import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeChannel, readConfiguration } from '#database/configuration.ts'
import { runCommand } from '#tests/support/command.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database.ts'
import { settingsCommand } from './settings.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.sql`delete from settings`
})

const settings = (...args: string[]) => runCommand(settingsCommand, db, ...args)
const stored = async () => (await readConfiguration(db)).settings

describe('npm run shop -- settings', () => {
  it('lists every setting and marks those that differ from the default', async () => {
    await settings('name', 'Fogline')
    const { code, out } = await settings()
    expect(code).toBe(0)
    expect(out).toMatch(/^\* {2}name +"Fogline"$/m)
    expect(out).toMatch(/^ {3}currency +"USD"$/m)
  })

  it('shows one setting, or a member of one, as JSON', async () => {
    expect((await settings('priceFormat.decimals')).out).toBe('2')
    expect(JSON.parse((await settings('base')).out)).toEqual({ country: 'US', state: 'CA' })
  })

  it('changes a member and leaves its neighbours as they are', async () => {
    await settings('taxes', '{"displayShop":"incl"}')
    expect((await settings('taxes.pricesIncludeTax', 'true')).code).toBe(0)
    expect((await stored()).taxes).toMatchObject({ displayShop: 'incl', pricesIncludeTax: true, enabled: true })
  })

  it('takes a text with or without quotation marks, also one that looks like a number', async () => {
    await settings('name', 'Fog & Line')
    expect((await stored()).name).toBe('Fog & Line')
    await settings('name', '"Quoted"')
    expect((await stored()).name).toBe('Quoted')
    await settings('name', '1984')
    expect((await stored()).name).toBe('1984')
  })

  it.each([
    ['a value of the wrong kind', 'productsPerPage', '"many"', /productsPerPage: /],
    ['a value out of range', 'productsPerPage', '0', /productsPerPage: /],
    ['what is no JSON', 'sellTo', '[US', /not valid JSON/],
    ['a member that does not exist', 'taxes', '{"pricesIncludesTax":true}', /no setting "taxes.pricesIncludesTax"/],
    ['a language that no computer knows', 'language', 'not a language', /language tag/],
    ['a currency in small letters', 'currency', 'usd', /currency code/],
    ['a prototype', 'sellTo', '{"__proto__":{"length":1}}', /sellTo/],
  ])('refuses %s and changes nothing', async (_, key, value, problem) => {
    const { code, err } = await settings(key, value)
    expect([code, err]).toEqual([1, expect.stringMatching(problem)])
    expect(await stored()).toEqual({})
  })

  it.each([['colour'], ['taxes.colour'], ['__proto__'], ['constructor'], ['name.length'], ['secret']])(
    'says that there is no setting %s',
    async (key) => {
      const { code, err } = await settings(key, 'true')
      expect([code, err]).toEqual([2, expect.stringContaining(`There is no setting "${key}".`)])
    },
  )

  it('ends with 2 when a value falls apart into several arguments', async () => {
    expect((await settings('name', 'Fog', 'Line')).code).toBe(2)
  })

  it('tells every running shop', async () => {
    const told: string[] = []
    const listening = await db.sql.listen(changeChannel, (what) => told.push(what))
    await settings('name', 'Fogline')
    await expect.poll(() => told).toEqual(['configuration'])
    await listening.unlisten()
  })
})
