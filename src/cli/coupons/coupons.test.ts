import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { couponsCommand } from './coupons.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
  await db.sql`insert into products (type, sku, name, slug) values
    ('simple', 'BOWL', 'Bowl', 'bowl'), ('simple', 'MUG', 'Mug', 'mug'), ('simple', null, 'Gift', 'gift')`
  await db.sql`insert into categories (name, slug) values ('Ceramics', 'ceramics'), ('Sale & more', 'sale-more')`
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.sql`delete from coupons`
  await db.sql`delete from settings`
})

const coupons = (...args: string[]) => runCommand(couponsCommand, db, ...args)
const stored = async (code: string) => (await db.sql`select * from coupons where code = ${code}`)[0]

describe('npm run shop -- coupons', () => {
  it('says of a coupon that it takes nothing off where that is hardly meant', async () => {
    const add = ['add', 'odd', '--type', 'percent', '--amount', '10']
    const rules = ['--products', 'BOWL,MUG', '--exclude-products', 'MUG', '--expires', '2020-01-01']
    expect(await coupons(...add, ...rules)).toMatchObject({
      code: 0,
      err: [
        'Warning: MUG is in --products and in --exclude-products, so it gets no discount.',
        'Warning: odd has expired already.',
      ].join('\n'),
    })
    expect((await coupons('edit', 'odd', '--expires', '', '--exclude-products', '')).err).toBe('')
  })

  it('adds a coupon with every rule there is', async () => {
    await writeSettings(db, { timeZone: 'America/Los_Angeles' })
    const [bowl, , gift] = (await db.sql`select id from products order by id`).map(({ id }) => id)
    const [ceramics, more] = (await db.sql`select id from categories order by id`).map(({ id }) => id)
    const { code, err } = await coupons(
      ...['add', ' Spring ', '--type', 'percent', '--amount', '12.5', '--minimum', '50', '--maximum', '99.90'],
      ...['--products', `BOWL,id:${gift}`, '--exclude-products', 'MUG', '--categories', 'ceramics'],
      ...['--exclude-categories', 'sale-more', '--exclude-sale', '--emails', '*@Club.example', '--individual'],
      ...['--limit', '100', '--limit-per-customer', '1', '--limit-items', '3', '--expires', '2096-12-31'],
      '--free-shipping',
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(await stored('spring')).toMatchObject({
      type: 'percent',
      amount_ppm: 125_000,
      amount_minor: null,
      usage_limit: 100,
      used: 0,
      // Midnight in California, eight hours behind in winter.
      expires_at: new Date('2096-12-31T08:00:00Z'),
      settings: {
        minimumAmount: 5000,
        maximumAmount: 9990,
        productIds: [bowl, gift],
        excludedProductIds: [expect.any(Number)],
        categoryIds: [ceramics],
        excludedCategoryIds: [more],
        excludeSaleItems: true,
        emails: ['*@club.example'],
        individualUse: true,
        usageLimitPerUser: 1,
        limitToItems: 3,
        freeShipping: true,
      },
    })
    const shown = JSON.parse((await coupons('show', 'SPRING', '--json')).out)
    expect(shown).toMatchObject({
      code: 'spring',
      amount: '12.5',
      minimum: '50.00',
      products: ['BOWL', `id:${gift}`],
      categories: ['ceramics'],
      expires: '2096-12-31',
      limit: '100',
      used: 0,
    })
  })

  it('lists coupons with their uses', async () => {
    await coupons('add', 'five', '--type', 'fixed_cart', '--amount', '5', '--limit', '10')
    await coupons('add', 'half', '--type', 'percent', '--amount', '50', '--exclude-sale')
    await db.sql`update coupons set used = 4 where code = 'five'`
    const { out } = await coupons('list')
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['Code', 'Takes off', 'Used', 'Expires', 'Rules'],
      ['five', '5.00 USD', '4 of 10'],
      ['half', '50 %', '0', 'exclude-sale'],
    ])
    expect((await coupons('list', '--csv', '--limit', '1')).out).toBe(
      'Code,Takes off,Used,Limit,Expires,Rules\nfive,5.00 USD,4,10,,',
    )
    const second = await coupons('--page', '2', '--limit', '1', '--json')
    expect(JSON.parse(second.out)).toMatchObject([{ code: 'half' }])
    expect(JSON.parse((await coupons('--json')).out)).toMatchObject([
      { code: 'five', type: 'fixed_cart', amount: '5.00', used: 4 },
      { code: 'half', used: 0 },
    ])
  })

  it('changes what is given and leaves the rest', async () => {
    await coupons('add', 'five', '--type', 'fixed_product', '--amount', '5', '--limit-items', '2', '--products', 'BOWL')
    await db.sql`update coupons set used = 3`
    expect((await coupons('edit', 'five', '--amount', '7.5', '--free-shipping')).code).toBe(0)
    expect(await stored('five')).toMatchObject({
      amount_minor: 750,
      used: 3,
      settings: { limitToItems: 2, freeShipping: true },
    })
    expect((await coupons('edit', 'five', '--no-free-shipping', '--products', '')).code).toBe(0)
    expect(await stored('five')).toMatchObject({ settings: { productIds: [], freeShipping: false } })
    expect((await coupons('edit', 'five', '--type', 'fixed_cart')).code).toBe(0)
    expect(await stored('five')).toMatchObject({
      type: 'fixed_cart',
      amount_minor: 750,
      settings: { limitToItems: null },
    })
    expect((await coupons('edit', 'five', '--type', 'percent', '--amount', '10')).code).toBe(0)
    expect(await stored('five')).toMatchObject({ amount_ppm: 100_000, amount_minor: null, used: 3 })
  })

  it('keeps the moment of expiry through an edit, also in the hour that clocks show twice', async () => {
    await writeSettings(db, { timeZone: 'Europe/Berlin' })
    await coupons('add', 'night', '--type', 'percent', '--amount', '5')
    for (const moment of [
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
      '2026-06-30T22:00:00Z',
      '2026-07-01T10:15:30Z',
    ]) {
      await db.sql`update coupons set expires_at = ${moment}`
      await coupons('edit', 'night', '--limit', '7')
      expect((await stored('night'))?.expires_at).toEqual(new Date(moment))
    }
  })

  it('reads amounts by the decimals of the currency, never by way of a binary fraction', async () => {
    await writeSettings(db, { currency: 'JPY' })
    expect((await coupons('add', 'yen', '--type', 'fixed_cart', '--amount', '500')).code).toBe(0)
    expect((await stored('yen'))?.amount_minor).toBe(500)
    expect((await coupons('edit', 'yen', '--amount', '0.5')).err).toBe(
      'Error: --amount "0.5": must be a whole amount: the currency has no decimals',
    )
    await writeSettings(db, { currency: 'KWD' })
    await coupons('add', 'dinar', '--type', 'fixed_cart', '--amount', '1.255')
    expect((await stored('dinar'))?.amount_minor).toBe(1255)
  })

  it('removes a coupon', async () => {
    await coupons('add', 'five', '--type', 'percent', '--amount', '5')
    expect(await coupons('remove', 'FIVE')).toMatchObject({ code: 0 })
    expect(await stored('five')).toBeUndefined()
    expect(await coupons('remove', 'five')).toMatchObject({
      code: 1,
      err: 'Error: coupon "five" does not exist. List coupons: coupons list',
    })
  })

  it.each([
    [['--type', 'half'], /^Error: --type[^:]*: must be one of percent, fixed_cart, fixed_product$/],
    [['--amount', '101'], /^Error: --amount[^:]*: must be at most 100/],
    [['--amount', '-5'], /^Error: --amount[^:]*: must not be negative$/],
    [['--amount', 'five'], /^Error: --amount[^:]*: must be a number like 12\.50/],
    [['--amount', '1,5'], /^Error: --amount[^:]*: must be a number/],
    [['--minimum', '9.999'], /^Error: --minimum[^:]*: has more than 2 decimals$/],
    [['--minimum', '20', '--maximum', '10'], /^Error: --maximum[^:]*: must not be below the minimum$/],
    [['--products', 'BOWL,NOPE'], /^Error: --products[^:]*: there is no product with the SKU or number "NOPE"$/],
    [['--exclude-products', 'id:99999999'], /^Error: --exclude-products[^:]*: there is no product/],
    [['--categories', 'glass'], /^Error: --categories[^:]*: there is no category "glass"$/],
    [['--exclude-categories', 'glass'], /^Error: --exclude-categories[^:]*: there is no category "glass"$/],
    [['--emails', 'somebody'], /^Error: --emails: "somebody" is no address and no pattern/],
    [['--limit', 'many'], /^Error: --limit[^:]*: must be a whole number/],
    [['--limit', '1.5'], /^Error: --limit[^:]*: must be a whole number/],
    [['--limit-per-customer', '-1'], /^Error: --limit-per-customer[^:]*: must be a whole number/],
    [['--limit-items', 'x'], /^Error: --limit-items[^:]*: must be a whole number/],
    [['--type', 'fixed_cart', '--limit-items', '2'], /^Error: --limit-items[^:]*: is not for fixed_cart/],
    [['--expires', '2026-02-30'], /^Error: --expires[^:]*: must be a date like 2026-12-31/],
    [['--expires', 'tomorrow'], /^Error: --expires[^:]*: must be a date like 2026-12-31/],
    [['--amount', '200', '--limit', 'x'], /^Error: --amount[^:]*: .+\nError: --limit "x": /],
  ])('%j is refused by its option, and nothing is written', async (args, words) => {
    const given = ['--type', 'percent', '--amount', '10', ...args]
    expect(await coupons('add', 'x', ...given)).toMatchObject({ code: 1, err: expect.stringMatching(words), out: '' })
    expect(await stored('x')).toBeUndefined()
  })

  it('refuses a code that is taken, and a limit below the uses there were', async () => {
    await coupons('add', 'five', '--type', 'percent', '--amount', '5', '--limit', '9')
    expect((await coupons('add', 'FIVE', '--type', 'percent', '--amount', '5')).err).toContain(
      'there is a coupon "five"',
    )
    await db.sql`update coupons set used = 4`
    const { code, err } = await coupons('edit', 'five', '--limit', '3')
    expect([code, err]).toEqual([1, 'Error: --limit "3": must be at least 4: so often it has been used'])
  })

  it.each([
    [['add'], 2, /^Error: the code is missing\. Example: /],
    [['add', 'x'], 1, /^Error: --type and --amount missing for "x"\. Example: /],
    [['ad', 'x'], 2, /^Error: unknown command "coupons ad"\. .*\nDid you mean "coupons add"\?$/],
    [['add', 'x', '--minimun', '5'], 2, /^Error: unknown option "--minimun"\. .*\nDid you mean "--minimum"\?$/],
    [['edit', 'x'], 2, /^Error: no option to change was given/],
    [['edit', 'x', '--limit', '5'], 1, /^Error: .*there is no coupon "x"|coupon "x" does not exist/i],
    [['show'], 2, /^Error: "coupons show" needs <code>\. Example: coupons show spring$/],
    [['show', 'a', 'b'], 2, /^Error: unexpected argument "b"\./],
    [['add', '   ', '--type', 'percent', '--amount', '5'], 1, /code: is missing/],
  ])('%j ends with %i and says why', async (args, code, words) => {
    expect(await coupons(...args)).toMatchObject({ code, err: expect.stringMatching(words), out: '' })
  })

  it('explains itself', () => {
    expect(couponsCommand.help?.([])?.join('\n')).toMatch(/coupons list.*coupons add.*coupons remove/s)
    expect(couponsCommand.help?.(['add'])?.join('\n')).toMatch(/--limit-per-customer <number> +the number of orders/)
  })
})
