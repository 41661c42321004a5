import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Chance, Clock } from '#contract/shared/environment.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import { transaction } from './connect.ts'
import { pipelinedTransaction } from './pipeline.ts'

const clock: Clock = { now: () => new Date('2026-03-01T10:00:00.000Z'), sleep: async () => {} }
const chance: Chance = { hex: () => '', alphanumeric: () => '', uuid: () => '', fraction: () => 0 }

/** A table of our own; an added column makes its prepared statements outdated. */
async function aTable() {
  const db = await aDatabase({ max: 1 })
  await db.sql.unsafe('create table shelf (place int primary key, holds jsonb)')
  const held = { pieces: [1, 'two'] }
  const put = (place: number) => db.sql`insert into shelf values (${place}, ${held as never}) returning *`
  return { db, held, put, upgrade: () => db.sql.unsafe('alter table shelf add column note text') }
}

it('F35: who asks for what a newer version has changed is told their own answer, whatever is asked behind them', async () => {
  const { db, put, upgrade } = await aTable()
  await using _ = db
  for (const place of [1, 2, 3]) await put(place)
  // The same statement with a parameter, then others with one, all on one connection.
  const all = () =>
    Promise.all([
      db.sql`select * from shelf where place = ${1}`,
      db.sql`select place + 10 as ten from shelf where place = ${2}`,
      db.sql`select place + 100 as hundred from shelf where place = ${3}`,
      db.sql`select * from shelf where place = ${3}`,
    ])
  await all()
  await upgrade()
  for (let round = 0; round < 3; round += 1) {
    const told = await all()
    expect(told.map(([row]) => row?.place ?? row?.ten ?? row?.hundred)).toEqual([1, 12, 103, 3])
  }
})

it('F35: what is written by a statement that is out of date is written as it was given, once', async () => {
  const { db, held, put, upgrade } = await aTable()
  await using _ = db
  await put(1)
  await upgrade()
  await put(2)
  expect(await db.sql`select place, holds from shelf order by place`).toEqual([
    { place: 1, holds: held },
    { place: 2, holds: held },
  ])
})

it('F35: a transaction in which statements are out of date is done once, as a whole', async () => {
  const { db, put, upgrade } = await aTable()
  await using _ = db
  await put(1)
  let begun = 0
  const work = (place: number) =>
    transaction({ db, clock, chance }, async (tx) => {
      begun += 1
      // Concurrent branches, as in a payment: one repeats its statement while another is outdated.
      const after = async () => {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from shelf`.execute(tx)
        return (await sql<{ n: number }>`select ${rows[0]?.n}::int + 1 as n`.execute(tx)).rows[0]?.n
      }
      const [next, read, written] = await Promise.all([
        after(),
        sql`select * from shelf where place = ${1}`.execute(tx),
        sql`insert into shelf (place, holds) values (${place}, '{}') returning *`.execute(tx),
        sql`select holds from shelf where place = ${1}`.execute(tx),
      ])
      return { next, read: read.rows.length, written: written.rows.length }
    })
  expect(await work(2)).toEqual({ next: 2, read: 1, written: 1 })
  await upgrade()
  begun = 0
  expect(await work(3)).toEqual({ next: 3, read: 1, written: 1 })
  // After the first failure the whole connection prepares its statements again.
  expect(begun).toBe(2)
})

it('F35 P1: a write that is out of date is not carried out behind the rollback of its transaction', async () => {
  const { db, put, upgrade } = await aTable()
  await using _ = db
  const work = (place: number, fails: boolean) =>
    pipelinedTransaction(db, async (tx) => {
      await sql`select 1`.execute(tx)
      const write = sql`insert into shelf (place, holds) values (${place}, '{}') returning *`.execute(tx)
      write.catch(() => {})
      if (fails) throw new Error('another branch has failed')
      await write
    })
  await put(1)
  await work(2, false)
  await upgrade()
  await expect(work(3, true)).rejects.toThrow('another branch has failed')
  expect(await db.sql`select place from shelf order by place`).toEqual([{ place: 1 }, { place: 2 }])
})
