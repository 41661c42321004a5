import { describe, expect, it } from 'vitest'
import type { Chance, Clock } from '#contract/shared/environment.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import { brokenConstraint, connect, sqlState, transaction } from './connect.ts'

const at = new Date('2026-03-01T10:00:00.000Z')
const clock: Clock = { now: () => at, sleep: async () => {} }
const chance: Chance = { hex: () => '', alphanumeric: () => '', uuid: () => '', fraction: () => 0 }

describe('values', () => {
  it('bigint, its sums and arrays are numbers, timestamps dates, jsonb what was put in', async () => {
    await using db = await aDatabase()
    await db.kysely
      .insertInto('images')
      .values({ hash: 'a', source: 'a.jpg', width: 3, height: 2, widths: [320, 640] })
      .execute()
    const state = { lines: [{ quantity: 1 }], note: 'ünïcode "quoted"', empty: null }
    await db.kysely.insertInto('sessions').values({ id: 's', state, expires_at: at }).execute()
    await db.kysely
      .insertInto('settings')
      .values([
        { key: 'list', value: ['a', 'b'] },
        { key: 'word', value: 'yes' },
      ])
      .execute()
    const image = await db.kysely.selectFrom('images').select(['id', 'widths']).executeTakeFirstOrThrow()
    const session = await db.kysely.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
    const [sum] = await db.sql`select sum(id) as sum, array_agg(id) as ids from images`
    expect(image).toEqual({ id: 1, widths: [320, 640] })
    expect(session).toMatchObject({ state, expires_at: at, version: 1 })
    expect(sum).toEqual({ sum: 1, ids: [1] })
    expect(
      (await db.kysely.selectFrom('settings').select('value').orderBy('key').execute()).map(({ value }) => value),
    ).toEqual([['a', 'b'], 'yes'])
  })

  it('a bigint that is no safe number is an error, never a rounded figure', async () => {
    await using db = await aDatabase()
    await expect(db.sql`select 9007199254740993::bigint as value`).rejects.toThrow(
      /9007199254740993 is not a safe integer/,
    )
  })

  it('statements are prepared', async () => {
    await using db = await aDatabase({ max: 1 })
    for (const id of [1, 2]) await db.kysely.selectFrom('orders').select('id').where('id', '=', id).execute()
    const [row] =
      await db.sql`select count(*) as count from pg_prepared_statements where statement like 'select "id" from "orders"%'`
    expect(row).toEqual({ count: 1 })
  })
})

describe('a value that cannot be sent', () => {
  it.each([
    ['nothing', undefined],
    ['a date that is none', new Date(Number.NaN)],
  ])(
    'fails what it was meant for, and those beside it on the connection get their own answers: %s',
    async (_, value) => {
      await using db = await aDatabase({ max: 1 })
      const dated = (date: unknown) => db.sql`select ${date as never}::timestamptz as date`
      await dated(at)
      const told = await Promise.allSettled([
        db.sql`select 'first' as one from pg_sleep(0.05)`,
        dated(value),
        db.sql`select 'second' as one`,
        dated(at),
      ])
      expect(told.map((one) => (one.status === 'fulfilled' ? one.value[0] : one.status))).toEqual([
        { one: 'first' },
        'rejected',
        { one: 'second' },
        { date: at },
      ])
      expect(await db.sql`select 'third' as one`).toEqual([{ one: 'third' }])
    },
  )
})

describe('patience with the locks of others', () => {
  it('F5: is said to the server itself, and not through a pooler, which knows no such word', async () => {
    await using db = await aDatabase()
    for (const [directUrl, said] of [
      [null, '1234ms'],
      [db.url, '0'],
    ] as const) {
      const own = connect(db.url, { max: 1, lockTimeoutMs: 1234, directUrl })
      expect((await own.sql`show lock_timeout`)[0]?.lock_timeout).toBe(said)
      await own.close()
    }
  })
})

describe('a transaction', () => {
  it('that meets another is repeated until both are done', async () => {
    await using db = await aDatabase()
    await db.kysely.insertInto('settings').values({ key: 'counter', value: 0 }).execute()
    const bothHaveRead = Promise.withResolvers<void>()
    let reads = 0
    const increment = () =>
      transaction(
        { db, clock, chance },
        async (tx) => {
          const row = await tx
            .selectFrom('settings')
            .select('value')
            .where('key', '=', 'counter')
            .executeTakeFirstOrThrow()
          reads += 1
          if (reads === 2) bothHaveRead.resolve()
          await bothHaveRead.promise
          await tx
            .updateTable('settings')
            .set({ value: Number(row.value) + 1 })
            .where('key', '=', 'counter')
            .execute()
        },
        { isolation: 'repeatable read' },
      )
    await Promise.all([increment(), increment()])
    const row = await db.kysely.selectFrom('settings').select('value').executeTakeFirstOrThrow()
    expect(row.value).toBe(2)
    expect(reads).toBe(3)
  })

  it('F35: goes on when a newer version has added columns to the tables that it reads', async () => {
    await using db = await aDatabase({ max: 1 })
    const read = () =>
      transaction({ db, clock, chance }, async (tx) => [
        await tx.selectFrom('sessions').selectAll().execute(),
        await tx.selectFrom('settings').selectAll().execute(),
        await tx.selectFrom('images').selectAll().execute(),
      ])
    expect(await read()).toEqual([[], [], []])
    for (const table of ['sessions', 'settings', 'images']) {
      await db.sql.unsafe(`alter table ${table} add column next_version text`)
    }
    expect(await read()).toEqual([[], [], []])
  })

  it('gives up after its tries and rolls back what throws', async () => {
    await using db = await aDatabase()
    let runs = 0
    const work = () =>
      transaction(
        { db, clock, chance },
        async (tx) => {
          runs += 1
          await tx.insertInto('settings').values({ key: 'gone', value: 1 }).execute()
          await db.sql.unsafe(`do $$ begin raise exception 'met' using errcode = '40001'; end $$`)
        },
        { tries: 3 },
      )
    await expect(work()).rejects.toThrow('met')
    expect(runs).toBe(3)
    expect(await db.kysely.selectFrom('settings').selectAll().execute()).toEqual([])
  })

  it('a broken constraint is told by name and not repeated', async () => {
    await using db = await aDatabase()
    const twice = transaction({ db, clock, chance }, async (tx) => {
      for (const name of ['a', 'b']) await tx.insertInto('tags').values({ name, slug: 'same' }).execute()
    })
    const error = await twice.catch((thrown: unknown) => thrown)
    expect([sqlState(error), brokenConstraint(error)]).toEqual(['23505', 'tags_slug_key'])
  })
})
