import { expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { connect } from '../engine/connect.ts'
import { isInstanceAlive, registerInstance } from './payments.ts'

/** Closes every connection of this name; other databases of the server belong to concurrent tests. */
const cut = ({ sql }: Awaited<ReturnType<typeof aDatabase>>) =>
  sql`
    select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where application_name = 'to be cut' and datname = current_database()`

const clock = { now: () => new Date(), sleep: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)) }

it('M4 a process whose connections were cut holds its number again', { timeout: 60_000 }, async () => {
  await using database = await aDatabase()
  const db = connect(database.url, { max: 2, name: 'to be cut' })
  const { instance, release } = await registerInstance(db, clock)
  const isAlive = () => database.kysely.transaction().execute((tx) => isInstanceAlive(tx, instance))
  expect(await isAlive()).toBe(true)
  await cut(database)
  await expect.poll(isAlive, { timeout: 30_000 }).toBe(true)
  await release()
  expect(await isAlive()).toBe(false)
  await db.close()
})

it('M4 a number that is given back while its connection is lost keeps no connection', { timeout: 60_000 }, async () => {
  await using database = await aDatabase()
  const db = connect(database.url, { max: 1, name: 'to be cut' })
  const { release } = await registerInstance(db, clock)
  await cut(database)
  await release()
  expect(await db.sql`select 6 as six`).toEqual([{ six: 6 }])
  await db.close()
})
