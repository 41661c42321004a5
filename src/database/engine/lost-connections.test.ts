import { once } from 'node:events'
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { connect } from './connect.ts'
import { pipelinedTransaction, readTogether } from './pipeline.ts'

/** A lost connection is reported by the driver, or by the system if the server's end was not read yet. */
const lost = { code: expect.stringMatching(/^(CONNECTION_CLOSED|ECONNRESET)$/) }

async function aPoolOfOne() {
  const database = await aDatabase()
  const db = connect(database.url, { max: 1, name: 'to be cut' })
  const cut = async () => {
    // Other databases of the server belong to concurrent tests. A new connection of the pool may follow at once.
    const cutOff = await database.sql<{ pid: number }[]>`
      select pid, pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'to be cut' and datname = current_database()`
    const pids = cutOff.map(({ pid }) => pid)
    await expect
      .poll(() => database.sql`select 1 from pg_stat_activity where pid = any(${pids}::int[])`)
      .toHaveLength(0)
    // This process has received the close as well: what follows uses a lost connection.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const close = async () => {
    await db.close()
    await database.close()
  }
  return { db, beside: database.sql, cut, [Symbol.asyncDispose]: close }
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
    await expect(former`select 2`).rejects.toMatchObject(lost)
    former.release()
    const { rows } = await sql<{ same: boolean }>`select txid_current_if_assigned() is null as same`.execute(tx)
    return rows
  })
  expect(found).toEqual([{ same: true }])
  expect(await pool.db.sql`select 4 as four`).toEqual([{ four: 4 }])
})

it('P10 what was lost after nothing but statements with parameters is lent to one holder at a time', async () => {
  await using pool = await aPoolOfOne()
  const former = await pool.db.sql.reserve()
  await former`select pg_try_advisory_lock(${1}, ${1})`
  await pool.cut()
  const next = await pool.db.sql.reserve()
  await next`begin`
  await next`create table unseen (value text)`
  await expect(former`select pg_advisory_unlock(${1}, ${1})`).rejects.toMatchObject(lost)
  former.release()
  const beside = pool.db.sql<{ unseen: string | null }[]>`select to_regclass('unseen')::text as unseen`
  await next`select pg_sleep(0.05)`
  await next`rollback`
  next.release()
  expect(await beside).toEqual([{ unseen: null }])
})

it('P10 who has given a connection back asks nothing of it, and gives it back once', async () => {
  await using pool = await aPoolOfOne()
  const former = await pool.db.sql.reserve()
  await former`select 1`
  former.release()
  const next = await pool.db.sql.reserve()
  await expect(former`select 2`).rejects.toThrow('already released')
  former.release()
  const another = pool.db.sql.reserve()
  const order: string[] = []
  void another.then(() => order.push('lent'))
  await next`select pg_sleep(0.05)`
  order.push('given back')
  next.release()
  ;(await another).release()
  expect(order).toEqual(['given back', 'lent'])
})

it('P10 what waits behind a statement whose connection is lost fails with it, each by itself', {
  timeout: 5_000,
}, async () => {
  await using pool = await aPoolOfOne()
  const work = pipelinedTransaction(pool.db, async (tx) => {
    await sql`create table made (value text)`.execute(tx)
    // The first statement with a parameter blocks the others until the server has described the parameter's type.
    const each = ['first', 'second', 'third'].map((word) => sql`select ${word}::text, pg_sleep(20)`.execute(tx))
    const all = Promise.allSettled(each)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await pool.cut()
    return (await all).map(({ status }) => status)
  })
  await expect(work).rejects.toMatchObject(lost)
  expect(await pool.db.sql`select to_regclass('made') as made`).toEqual([{ made: null }])
})

it('P10 a branch of reads that goes on after another has failed asks nothing of a connection that was given back', async () => {
  await using pool = await aPoolOfOne()
  const mayGoOn = Promise.withResolvers<void>()
  let asked: Promise<unknown> = Promise.resolve()
  const reading = readTogether(pool.db, (one) => {
    asked = mayGoOn.promise.then(() => sql`select 1 / 0`.execute(one))
    return Promise.all([asked, sql`select * from nowhere`.execute(one)])
  })
  await expect(reading).rejects.toThrow('nowhere')
  await pipelinedTransaction(pool.db, async (tx) => {
    await sql`select 1`.execute(tx)
    mayGoOn.resolve()
    await expect(asked).rejects.toThrow('already released')
    await sql`select 2`.execute(tx)
  })
})

it('P10 a connection that is given back while it answers is lent when it has answered', async () => {
  await using pool = await aPoolOfOne()
  const [locked, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const locking = pool.beside.begin(async (tx) => {
    // A request to describe a statement on this table waits.
    await tx`lock table settings in access exclusive mode`
    locked.resolve()
    await mayEnd.promise
  })
  await locked.promise
  const reading = readTogether(pool.db, (one) =>
    Promise.all([
      sql`select * from nowhere`.execute(one),
      sql`select value from settings where key = ${'none'}`.execute(one),
    ]),
  )
  await expect(reading).rejects.toThrow('nowhere')
  setTimeout(mayEnd.resolve, 50)
  expect(await pool.db.sql`select ${7}::int as seven`).toEqual([{ seven: 7 }])
  await locking
})

it('P10 what hangs up without a word is taken for one that refuses, and not asked again at once', async () => {
  let asked = 0
  const server = createServer((socket) => {
    asked += 1
    socket.on('error', () => {})
    socket.end()
  }).listen(0)
  await once(server, 'listening')
  const db = connect(`postgres://nobody@localhost:${(server.address() as AddressInfo).port}/none`)
  await expect(db.sql`select 1`).rejects.toMatchObject(lost)
  expect(asked).toBe(1)
  await db.close()
  server.close()
})

it('P10 a pool that is cut off while it waits to be opened again opens nothing any more', async () => {
  let opened = 0
  let isShut = true
  const server = createServer((socket) => {
    if (isShut) socket.destroy()
    else opened += 1
  }).listen(0)
  await once(server, 'listening')
  const db = connect(`postgres://nobody@localhost:${(server.address() as AddressInfo).port}/none`, { max: 1 })
  await expect(db.sql`select 1`).rejects.toMatchObject(lost)
  isShut = false
  // The driver waits a tenth of a second before it retries.
  const second = expect(db.sql`select 2`).rejects.toThrow()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await db.sql.end({ timeout: 0 })
  await second
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(opened).toBe(0)
  server.close()
})

it('P10 a pool closes as soon as the transaction that runs has ended', async () => {
  await using pool = await aPoolOfOne()
  const work = pipelinedTransaction(pool.db, async (tx) => {
    await sql`select 1`.execute(tx)
    const closing = pool.db.close()
    const since = performance.now()
    await sql`select pg_sleep(0.1)`.execute(tx)
    return { since, closing }
  })
  const { since, closing } = await work
  await closing
  expect(performance.now() - since).toBeLessThan(2_000)
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

/** A pool of one connection whose stream the test controls. */
async function aPoolByHand({ firstFails = false, isPooled = false } = {}) {
  const database = await aDatabase()
  const folder = new URL(database.url).searchParams.get('host') ?? ''
  const sockets: Socket[] = []
  const socket = async () => {
    const opened = connectSocket(join(folder, '.s.PGSQL.5432'))
    await once(opened, 'connect')
    sockets.push(opened)
    // Before the server has sent anything.
    if (firstFails && sockets.length === 1) setImmediate(() => opened.destroy(new Error('the line is cut')))
    return opened
  }
  const db = connect(database.url, { max: 1, socket, directUrl: isPooled ? database.url : null })
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

it('P10 by a pooler, which lends its server on between two statements, the second leaves when the first is answered', async () => {
  await using pool = await aPoolByHand({ isPooled: true })
  const { sql: query } = pool.db
  await query`select 1`
  const order: string[] = []
  const socket = pool.last()
  const write = socket.write.bind(socket)
  socket.write = ((bytes: Buffer, ...rest: never[]) => {
    for (const word of ['first', 'second', 'third']) if (bytes.includes(word)) order.push(`asked ${word}`)
    return write(bytes, ...rest)
  }) as typeof socket.write
  const answered = (word: string) => () => order.push(`answered ${word}`)
  await Promise.all([
    query`select 'first' from pg_sleep(0.05)`.then(answered('first')),
    query`select 'second', ${undefined as never}::int`.catch(() => {}),
    query`select 'third', ${3}::int`.then(answered('third')),
  ])
  // Types of parameters are asked for before a statement is sent for the first time.
  const third = ['asked third', 'asked third', 'answered third']
  expect(order).toEqual(['asked first', 'answered first', ...third])
})
