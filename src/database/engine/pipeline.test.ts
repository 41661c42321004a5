import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Chance, Clock } from '#contract/shared/environment.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import { connect, transaction } from './connect.ts'
import { pipelinedTransaction, readTogether } from './pipeline.ts'
import type { Schema } from './schema/schema.ts'

const clock: Clock = { now: () => new Date('2026-03-01T10:00:00.000Z'), sleep: async () => {} }
const chance: Chance = { hex: () => '', alphanumeric: () => '', uuid: () => '', fraction: () => 0 }

const keep = (db: Kysely<Schema>, key: string) => db.insertInto('settings').values({ key, value: 1 }).execute()

/** A pool of one connection, and how often it writes to the server. */
async function aCountedPool() {
  const database = await aDatabase()
  const folder = new URL(database.url).searchParams.get('host') ?? ''
  let writes = 0
  const socket = async () => {
    const opened = connectSocket(join(folder, '.s.PGSQL.5432'))
    await once(opened, 'connect')
    const write = opened.write.bind(opened)
    opened.write = ((...args: Parameters<typeof write>) => {
      writes += 1
      return write(...args)
    }) as typeof opened.write
    return opened
  }
  const db = connect(database.url, { max: 1, socket })
  const writesOf = async (work: () => Promise<unknown>) => {
    const before = writes
    await work()
    return writes - before
  }
  const close = async () => {
    await db.close()
    await database.close()
  }
  return { db, writesOf, [Symbol.asyncDispose]: close }
}

it('what is asked for together leaves in one write, with "begin", and is carried out in that order', async () => {
  await using pool = await aCountedPool()
  const { db, writesOf } = pool
  const seen: unknown[] = []
  const work = () =>
    pipelinedTransaction(db, async (tx) => {
      await Promise.all([
        // The usual form of statements.
        sql`
          select pg_advisory_xact_lock(1)`.execute(tx),
        tx.selectFrom('settings').select('key').where('key', '=', 'a').execute(),
      ])
      const [, rows] = await Promise.all([
        keep(tx, 'a'),
        tx.selectFrom('settings').select('key').where('key', '=', 'a').execute(),
        sql`delete from settings where key = ${'a'}`.execute(tx),
      ])
      seen.push(rows)
    })
  // On a new connection, statements with parameters are described first.
  await work()
  // Begin and reads, writes, commit.
  expect(await writesOf(work)).toBe(3)
  expect(seen[1]).toEqual([{ key: 'a' }])
  expect(
    await writesOf(() => readTogether(db, (one) => Promise.all([1, 2].map(() => sql`select 1`.execute(one))))),
  ).toBe(1)
})

it('what is large leaves in one write all the same', async () => {
  await using pool = await aCountedPool()
  const { db, writesOf } = pool
  const text = 'a'.repeat(3000)
  const read = () => readTogether(db, (one) => Promise.all([1, 2, 3].map(() => sql`select ${text}::text`.execute(one))))
  await read()
  expect(await writesOf(read)).toBe(1)
})

it('nothing is written where there is no transaction: a write, and what follows it, waits to know that it has begun', async () => {
  await using db = await aDatabase()
  const work = pipelinedTransaction(
    db,
    (tx) => Promise.all([sql`select 1`.execute(tx), keep(tx, 'a'), sql`select 2`.execute(tx)]),
    'of no kind' as never,
  )
  await expect(work).rejects.toMatchObject({ code: '42601' })
  expect(await db.kysely.selectFrom('settings').selectAll().execute()).toEqual([])
})

it('what failed first is told, and what was begun beside it is not carried out behind the end', async () => {
  await using db = await aDatabase({ max: 1 })
  await keep(db.kysely, 'there')
  let late: Promise<unknown> = Promise.resolve()
  const work = pipelinedTransaction(db, async (tx) => {
    const slow = async () => {
      await sql`select 1`.execute(tx)
      await new Promise((resolve) => setTimeout(resolve, 50))
      await keep(tx, 'late')
    }
    late = slow()
    await Promise.all([late, keep(tx, 'there'), keep(tx, 'behind')])
  })
  await expect(work).rejects.toMatchObject({ code: '23505' })
  await expect(late).rejects.toThrow('transaction has ended')
  expect(await db.kysely.selectFrom('settings').select('key').execute()).toEqual([{ key: 'there' }])
})

it('a write that waits for the transaction to begin is not carried out behind its end', async () => {
  await using db = await aDatabase({ max: 1 })
  const work = pipelinedTransaction(db, (tx) =>
    Promise.all([keep(tx, 'a'), Promise.reject(new TypeError('no such row'))]),
  )
  await expect(work).rejects.toThrow('no such row')
  await db.sql`select 1`
  expect(await db.kysely.selectFrom('settings').selectAll().execute()).toEqual([])
})

it('a transaction in which something failed is never taken for done', async () => {
  await using db = await aDatabase()
  await keep(db.kysely, 'there')
  const work = pipelinedTransaction(db, async (tx) => {
    await Promise.allSettled([keep(tx, 'other'), keep(tx, 'there')])
  })
  await expect(work).rejects.toMatchObject({ code: '23505' })
  expect(await db.kysely.selectFrom('settings').select('key').execute()).toEqual([{ key: 'there' }])
})

it('F35: statements that a newer version has made out of date are told as such, though others were sent behind them', async () => {
  await using db = await aDatabase({ max: 1 })
  const work = () =>
    transaction({ db, clock, chance }, (tx) =>
      Promise.all([
        tx.selectFrom('settings').selectAll().where('key', '=', 'a').execute(),
        tx.selectFrom('settings').select('key').where('key', '=', 'a').execute(),
      ]),
    )
  await work()
  await db.sql.unsafe('alter table settings add column note text')
  expect(await work()).toEqual([[], []])
})

it('P10 a transaction whose connection is lost between two pipelined statements fails, and the next one works', async () => {
  await using db = await aDatabase({ max: 1 })
  const work = pipelinedTransaction(db, (tx) =>
    Promise.all([
      sql`select 1`.execute(tx),
      sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx),
      keep(tx, 'a'),
    ]),
  )
  await expect(work).rejects.toMatchObject({
    code: expect.stringMatching(/^(57P01|CONNECTION_CLOSED|ECONNRESET|EPIPE)$/),
  })
  expect(await pipelinedTransaction(db, (tx) => tx.selectFrom('settings').selectAll().execute())).toEqual([])
})

it('through a pooler, where nothing is prepared, the same is done one by one', async () => {
  await using own = await aDatabase()
  const db = connect(own.url, { max: 1, directUrl: own.url })
  const rows = await pipelinedTransaction(db, async (tx) => {
    const [, found] = await Promise.all([
      keep(tx, 'a'),
      tx.selectFrom('settings').select('key').where('key', '=', 'a').execute(),
    ])
    return found
  })
  await db.close()
  expect(rows).toEqual([{ key: 'a' }])
})
