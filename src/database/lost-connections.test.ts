import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { join } from 'node:path'
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

it("P10 what is read in the driver's own transaction fails when its connection is lost, and the next one works", async () => {
  await using pool = await aPoolOfOne()
  const work = pool.db.sql.begin(async (tx) => {
    await tx`select 1`
    await pool.cut()
    await tx`select 2`
  })
  await expect(work).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(await pool.db.sql.begin((tx) => tx`select 3 as three`)).toEqual([{ three: 3 }])
})

it('P10 a pool that is closed lends nothing any more', async () => {
  await using pool = await aPoolOfOne()
  await pool.db.sql`select 1`
  await pool.db.close()
  await expect(pool.db.sql.reserve()).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
})

/** A pool of one connection whose stream the test holds in its hand. */
async function aPoolByHand() {
  const database = await aDatabase()
  const folder = new URL(database.url).searchParams.get('host') ?? ''
  const sockets: Socket[] = []
  const socket = async () => {
    const opened = connectSocket(join(folder, '.s.PGSQL.5432'))
    await once(opened, 'connect')
    sockets.push(opened)
    return opened
  }
  const db = connect(database.url, { max: 1, socket })
  const close = async () => {
    await db.close()
    await database.close()
  }
  return { db, last: () => sockets.at(-1) as Socket, [Symbol.asyncDispose]: close }
}

it('P10 a query that is asked between the fault of a stream and its end is answered', async () => {
  await using pool = await aPoolByHand()
  const { sql: query } = pool.db
  await query`select 1`
  const cut = query`select pg_sleep(20)`.catch((error: Error) => [error.message, query`select 2 as two`] as const)
  setTimeout(() => pool.last().destroy(new Error('the line is cut')), 50)
  const [message, next] = (await cut) as readonly [string, Promise<unknown>]
  expect(message).toBe('the line is cut')
  expect(await next.catch(() => query`select 2 as two`)).toEqual([{ two: 2 }])
})

it('P10 rows of an answer that was cut do not stand in the next one', async () => {
  await using pool = await aPoolByHand()
  const { sql: query } = pool.db
  await query`select 1`
  const socket = pool.last()
  let pieces = 0
  socket.on('data', () => {
    pieces += 1
    if (pieces === 3) socket.destroy()
  })
  await expect(query`select repeat('x', 10000) as row from generate_series(1, 10000)`).rejects.toMatchObject({
    code: 'CONNECTION_CLOSED',
  })
  expect(await query`select 4 as four`).toEqual([{ four: 4 }])
})

it('P10 why a transaction failed is told, also when the connection is lost while it is rolled back', async () => {
  await using pool = await aPoolByHand()
  const work = pool.db.kysely.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx)
    const socket = pool.last()
    const write = socket.write.bind(socket)
    socket.write = ((bytes: Buffer, ...rest: never[]) => {
      if (bytes.includes('rollback')) socket.destroy()
      return write(bytes, ...rest)
    }) as typeof socket.write
    throw new Error('the reason')
  })
  await expect(work).rejects.toThrow('the reason')
  expect(await pool.db.sql`select 5 as five`).toEqual([{ five: 5 }])
})
