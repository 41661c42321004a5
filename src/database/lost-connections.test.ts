import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database.ts'
import { connect } from './connect.ts'

/** How a lost connection is told: by the driver, or by the system where the server's end was not yet read. */
const lost = { code: expect.stringMatching(/^(CONNECTION_CLOSED|ECONNRESET)$/) }

async function aPoolOfOne() {
  const database = await aDatabase()
  const db = connect(database.url, { max: 1, name: 'to be cut' })
  const cut = async () => {
    // The server's other databases are of tests that run beside this one.
    const those = database.sql`application_name = 'to be cut' and datname = current_database()`
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where ${those}`
    await expect.poll(() => database.sql`select 1 from pg_stat_activity where ${those}`).toHaveLength(0)
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
  await expect(work).rejects.toMatchObject(lost)
  const { rows } = await pool.db.kysely.transaction().execute((tx) => sql`select 3 as three`.execute(tx))
  expect(rows).toEqual([{ three: 3 }])
})

it('P10 a transaction whose statement loses the connection fails, and the next one works', async () => {
  await using pool = await aPoolOfOne()
  const work = pool.db.kysely
    .transaction()
    .execute((tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx))
  await expect(work).rejects.toMatchObject(lost)
  const { rows } = await pool.db.kysely.transaction().execute((tx) => sql`select 3 as three`.execute(tx))
  expect(rows).toEqual([{ three: 3 }])
})

it('P10 what held a lost connection does not speak in the transaction of whoever has it now', async () => {
  await using pool = await aPoolOfOne()
  const former = await pool.db.sql.reserve()
  await former`select 1`
  await pool.cut()
  const found = await pool.db.kysely.transaction().execute(async (tx) => {
    await expect((async () => former`select 2`)()).rejects.toMatchObject(lost)
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
  await expect(work).rejects.toMatchObject(lost)
  expect(await pool.db.sql.begin((tx) => tx`select 3 as three`)).toEqual([{ three: 3 }])
})

it("P10 work of the driver's own transaction that goes on after the loss asks nothing in the next one", async () => {
  await using pool = await aPoolOfOne()
  const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const former = { asked: null as unknown, ended: Promise.withResolvers<void>() }
  const work = pool.db.sql.begin(async (tx) => {
    begun.resolve()
    await mayGoOn.promise
    former.asked = await tx`select 1`.catch((error: unknown) => error)
    former.ended.resolve()
    throw new Error('so it is rolled back')
  })
  const failed = expect(work).rejects.toMatchObject(lost)
  await begun.promise
  await pool.cut()
  await failed
  await pool.db.sql.begin(async (tx) => {
    await tx`create table kept (value text)`
    mayGoOn.resolve()
    await former.ended.promise
    await new Promise((resolve) => setTimeout(resolve, 50))
    await tx`insert into kept values ('in the same transaction')`
  })
  expect(former.asked).toMatchObject(lost)
  expect(await pool.db.sql`select value from kept`).toEqual([{ value: 'in the same transaction' }])
})

it('P10 a pool that is closed lends nothing any more', async () => {
  await using pool = await aPoolOfOne()
  await pool.db.sql`select 1`
  await pool.db.close()
  await expect(pool.db.sql.reserve()).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
})

/** A pool of one connection whose stream the test holds in its hand. */
async function aPoolByHand({ firstFails = false } = {}) {
  const database = await aDatabase()
  const folder = new URL(database.url).searchParams.get('host') ?? ''
  const sockets: Socket[] = []
  const socket = async () => {
    const opened = connectSocket(join(folder, '.s.PGSQL.5432'))
    await once(opened, 'connect')
    sockets.push(opened)
    // Before the server has said a word.
    if (firstFails && sockets.length === 1) setImmediate(() => opened.destroy(new Error('the line is cut')))
    return opened
  }
  const db = connect(database.url, { max: 1, socket })
  const close = async () => {
    await db.close()
    await database.close()
  }
  return { db, last: () => sockets.at(-1) as Socket, [Symbol.asyncDispose]: close }
}

it('P10 who waits to reserve a connection when the one that is lent is lost gets the next', async () => {
  await using pool = await aPoolOfOne()
  const former = await pool.db.sql.reserve()
  await former`select 1`
  const waiting = pool.db.sql.reserve()
  await pool.cut()
  const held = await waiting
  expect(await held`select 2 as two`).toEqual([{ two: 2 }])
  held.release()
})

it('P10 who was told that a connection could not be opened is lent none later, which would not come back', async () => {
  await using pool = await aPoolByHand({ firstFails: true })
  const told = pool.db.sql.reserve()
  const waiting = pool.db.sql.reserve()
  await expect(told).rejects.toThrow('the line is cut')
  const held = await waiting
  held.release()
  expect(await pool.db.sql`select 3 as three`).toEqual([{ three: 3 }])
})

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
  await expect(query`select repeat('x', 10000) as row from generate_series(1, 10000)`).rejects.toMatchObject(lost)
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
