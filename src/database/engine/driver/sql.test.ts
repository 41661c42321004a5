import { pipeline } from 'node:stream/promises'
import { describe, expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { connect } from '../connect.ts'

describe('a parameter', () => {
  it('is written as its type in the database wants it, whatever it is here', async () => {
    await using db = await aDatabase()
    await db.sql`create table piece (name text, held jsonb, tags text[], at timestamptz, is_there boolean)`
    const at = new Date('2026-03-01T10:00:00.000Z')
    const held = [[], ['a "quoted" one', null], 'text', '{"looks": "like JSON"}', 7, { deep: [1] }]
    for (const one of held) {
      await db.sql`insert into piece ${db.sql({ name: 'one', held: one, tags: ['a,b', '{c}', null, '\\'], at, is_there: false })}`
    }
    const rows = await db.sql`select * from piece`
    expect(rows.map((row) => row.held)).toEqual(held)
    expect(rows[0]).toMatchObject({ name: 'one', tags: ['a,b', '{c}', null, '\\'], at, is_there: false })
  })

  it('that is an instant may stand where a duration could', async () => {
    await using db = await aDatabase()
    const [row] = await db.sql`select ${new Date('2026-03-01T10:00:00.000Z')} + interval '1 day' as next`
    expect(row?.next).toEqual(new Date('2026-03-02T10:00:00.000Z'))
  })
})

describe('a transaction', () => {
  it('is rolled back when one of its statements fails, even if that is caught', async () => {
    await using db = await aDatabase()
    const work = db.sql.begin(async (tx) => {
      await tx`create table made (n int)`
      await tx`select 1 / 0`.catch(() => {})
    })
    await expect(work).rejects.toMatchObject({ code: '22012' })
    expect(await db.sql`select to_regclass('made') as made`).toEqual([{ made: null }])
  })

  it('tells the first failure, not what followed from it', async () => {
    await using db = await aDatabase()
    const work = db.sql.begin(async (tx) => {
      await tx`select 1 / 0`.catch(() => {})
      await tx`select 1`
    })
    await expect(work).rejects.toMatchObject({ code: '22012' })
  })
})

it('takes a name with its schema', async () => {
  await using db = await aDatabase()
  const { sql } = db
  expect(await sql`select 1 as one from ${sql('pg_catalog.pg_class')} limit 1`).toEqual([{ one: 1 }])
})

describe('a cursor', () => {
  it('gives the rows in pieces, and its connection back', async () => {
    await using db = await aDatabase({ max: 1 })
    const sizes: number[] = []
    for await (const rows of db.sql`select n from generate_series(1, ${25}::int) n`.cursor(10)) sizes.push(rows.length)
    expect(sizes).toEqual([10, 10, 5])
    for await (const rows of db.sql`select n from generate_series(1, 25) n`.cursor(10)) {
      expect(rows[0]).toEqual({ n: 1 })
      break
    }
    expect(await db.sql`select 1 as one`).toEqual([{ one: 1 }])
  })
})

describe('COPY', () => {
  it('hands all rows out and in again, though neither side is fast', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`create table source as select n, repeat('x', 1000) as text from generate_series(1, 20000) n`
    await db.sql`create table target (like source)`
    const pieces: Buffer[] = []
    const rows = await db.sql.unsafe('copy source to stdout').readable()
    await pipeline(rows, async (all: AsyncIterable<Buffer>) => {
      for await (const piece of all) {
        pieces.push(piece)
        if (pieces.length % 5_000 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
    const into = await db.sql.unsafe('copy target from stdin').writable()
    await pipeline(pieces, into)
    const differing = await db.sql`(table source except table target) union all (table target except table source)`
    expect(differing).toEqual([])
    expect(await db.sql`select count(*) as n from target`).toEqual([{ n: 20_000 }])
  })

  it('that the server refuses fails, and the next statement is answered', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`create table numbers (n int)`
    const into = await db.sql.unsafe('copy numbers from stdin').writable()
    await expect(pipeline(['no number\n'], into)).rejects.toMatchObject({ code: '22P02' })
    await expect(db.sql.unsafe('copy nowhere from stdin').writable()).rejects.toMatchObject({ code: '42P01' })
    expect(await db.sql`select count(*) as n from numbers`).toEqual([{ n: 0 }])
  })
})

it('listening begins again on another connection when the first is lost', async () => {
  await using db = await aDatabase()
  const own = connect(db.url, { max: 1, name: 'listens' })
  const told: string[] = []
  let begun = 0
  await own.sql.listen(
    'news',
    (payload) => told.push(payload),
    () => {
      begun += 1
    },
  )
  await db.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'listens' and datname = current_database()`
  await expect.poll(() => begun, { timeout: 10_000 }).toBe(2)
  await db.sql`select pg_notify('news', 'after')`
  await expect.poll(() => told, { timeout: 10_000 }).toEqual(['after'])
  await own.close()
})
