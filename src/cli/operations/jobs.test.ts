import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { releaseDeadJobs } from '#database/operations/job-queue.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { doctorCommand } from './doctor.ts'
import { jobsCommand } from './jobs.ts'

let db: TestDatabase
beforeEach(async () => {
  await db?.close()
  db = await aDatabase()
})
afterAll(() => db.close())

const jobs = (...args: string[]) => runCommand(jobsCommand, db, ...args)

/** A job with so many tries behind it. @returns its number */
async function aJob(
  attempts: number,
  error = 'Error: 550 no such user <ada@example.test>\n  at somewhere',
): Promise<string> {
  const [row] = await db.sql<{ id: string }[]>`
    select id::text as id from graphile_worker.add_job('account-mail', ${db.sql.json({ kind: 'reset-password', login: 'ada@example.test' })}::json)`
  const id = row?.id ?? ''
  await db.sql`update graphile_worker._private_jobs set attempts = ${attempts}, last_error = ${error},
    created_at = '2026-05-12T09:30Z', run_at = '2026-05-13T08:00Z' where id = ${id}`
  return id
}

describe('npm run shop -- jobs', () => {
  it('F30 lists what was given up, and with --all what is tried again, without whom it concerns', async () => {
    expect((await jobs()).err).toBe('No job has failed for good.')
    await aJob(0)
    const waits = await aJob(3)
    const over = await aJob(25)
    const { out } = await jobs()
    expect(out).toContain('account-mail  reset-password  25 of 25  2026-05-12 09:30  given up')
    expect(out).toContain('Error: 550 no such user <…@…>')
    expect(out).not.toMatch(/ada@|somewhere/)
    expect(JSON.parse((await jobs('--json')).out)).toMatchObject([{ id: over, nextAt: null, attempts: 25 }])
    expect((await jobs('--all', '--json')).out).not.toContain('ada@')
    expect(JSON.parse((await jobs('--all', '--json')).out).map(({ id }: { id: string }) => id)).toEqual([over, waits])
    expect((await runCommand(doctorCommand, db)).err).toContain(
      'Warning: 1 background job failed for good. List them: npm run shop -- jobs',
    )
  })

  it('F30 tries again what is named, or all that was given up', async () => {
    const [one, other, waits] = [await aJob(25), await aJob(25), await aJob(3)]
    expect(await jobs('retry', one)).toMatchObject({ code: 0, err: '1 job will be retried.' })
    const [row] =
      await db.sql`select attempts, run_at <= now() as due from graphile_worker._private_jobs where id = ${one}`
    expect(row).toEqual({ attempts: 0, due: true })
    expect((await jobs('retry', 'all')).err).toBe('1 job will be retried.')
    expect((await jobs('retry', 'all')).err).toBe('No job has failed for good.')
    const left = await db.sql<{ id: string }[]>`
      select id::text as id from graphile_worker._private_jobs where attempts = 0 order by id`
    expect(left.map(({ id }) => id)).toEqual([one, other])
    expect(await jobs('retry', one)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`job ${one} has not failed`),
    })
    expect((await jobs('retry', 'first')).err).toContain('"first" is not a job number')
    expect((await jobs('retry', waits)).code).toBe(0)
  })

  it('F30 drops what is named when that is meant', async () => {
    const id = await aJob(25)
    expect(await jobs('drop', id)).toMatchObject({ code: 1, err: expect.stringContaining('confirm with --yes') })
    expect(await jobs('drop', 'all', '--yes')).toMatchObject({ code: 0, err: '1 job was dropped.' })
    expect((await jobs('--all')).err).toBe('No job has failed.')
  })

  it('F30 a job that was under way in several processes that died waits longer each time', async () => {
    const [first, again] = [await aJob(1), await aJob(4)]
    await db.sql`update graphile_worker._private_jobs set run_at = now(), locked_at = now(), locked_by = 'dead'`
    await releaseDeadJobs(db, null)
    const rows = await db.sql<{ id: string; seconds: number }[]>`
      select id::text as id, extract(epoch from run_at - now())::float8 as seconds from graphile_worker._private_jobs
      where locked_by is null order by id`
    expect(rows.map(({ id }) => id)).toEqual([first, again])
    expect(rows[0]?.seconds).toBeLessThan(1)
    expect(rows[1]?.seconds).toBeGreaterThan(20)
    expect(rows[1]?.seconds).toBeLessThan(60)
  })
})
