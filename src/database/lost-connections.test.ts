import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database.ts'
import { connect } from './connect.ts'

async function aPoolOfOne() {
  const database = await aDatabase()
  const db = connect(database.url, { max: 1, name: 'to be cut' })
  const cut = async () => {
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to be cut'`
    await expect
      .poll(() => database.sql`select 1 from pg_stat_activity where application_name = 'to be cut'`)
      .toHaveLength(0)
    // The end has reached this process as well: what follows is asked of a connection that is gone.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const close = async () => {
    await db.close()
    await database.close()
  }
  return { db, cut, [Symbol.asyncDispose]: close }
}

it('P10 a transaction whose connection is lost between two statements fails, and the next one works', async () => {
  await using pool = await aPoolOfOne()
  const work = pool.db.kysely.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx)
    await pool.cut()
    await sql`select 2`.execute(tx)
  })
  await expect(work).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  const { rows } = await pool.db.kysely.transaction().execute((tx) => sql`select 3 as three`.execute(tx))
  expect(rows).toEqual([{ three: 3 }])
})

it('P10 a transaction whose statement loses the connection fails, and the next one works', async () => {
  await using pool = await aPoolOfOne()
  const work = pool.db.kysely
    .transaction()
    .execute((tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx))
  await expect(work).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  const { rows } = await pool.db.kysely.transaction().execute((tx) => sql`select 3 as three`.execute(tx))
  expect(rows).toEqual([{ three: 3 }])
})

it('P10 what held a lost connection does not speak in the transaction of whoever has it now', async () => {
  await using pool = await aPoolOfOne()
  const former = await pool.db.sql.reserve()
  await former`select 1`
  await pool.cut()
  const found = await pool.db.kysely.transaction().execute(async (tx) => {
    await expect((async () => former`select 2`)()).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    former.release()
    const { rows } = await sql<{ same: boolean }>`select txid_current_if_assigned() is null as same`.execute(tx)
    return rows
  })
  expect(found).toEqual([{ same: true }])
  expect(await pool.db.sql`select 4 as four`).toEqual([{ four: 4 }])
})
