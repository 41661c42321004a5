import { expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { prepareJobQueue, queueAddress, runJobs } from './job-queue.ts'

it.each([
  ['?sslmode=require', '?sslmode=no-verify'],
  ['?sslmode=prefer', '?sslmode=no-verify'],
  ['?sslmode=verify-ca', '?sslmode=verify-full'],
  ['?sslmode=verify-full', '?sslmode=verify-full'],
  ['?sslmode=disable', '?sslmode=disable'],
  ['?host=%2Ftmp%2Fsocket', '?host=%2Ftmp%2Fsocket'],
  ['', ''],
])("the queue's driver trusts whom the shop's does, by %s", (given, wanted) => {
  const address = 'postgres://shop:p%25w@db.example:5432/shop'
  expect(queueAddress(address + given)).toBe(address + wanted)
})

it('what ends while the queue is stopped is noted: done jobs are gone, and failed ones wait for their next try', async () => {
  await using db = await aDatabase()
  await prepareJobQueue(db, db.url)
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  const end = Promise.withResolvers<void>()
  let begun = 0
  const held = async () => {
    begun += 1
    await end.promise
  }
  const fails = async () => {
    await held()
    throw new Error('not today')
  }
  const jobs = await runJobs(db.url, { held, fails }, { db, crontab: '', log: silent })
  for (const task of ['held', 'held', 'fails', 'fails']) await db.sql`select graphile_worker.add_job(${task}::text)`
  await expect.poll(() => begun).toBe(4)
  const stopped = jobs.stop()
  end.resolve()
  await stopped
  const left = await db.sql`select locked_at, last_error from graphile_worker._private_jobs`
  expect([...left]).toEqual(Array.from({ length: 2 }, () => ({ locked_at: null, last_error: 'not today' })))
})
