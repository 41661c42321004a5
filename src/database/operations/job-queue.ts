import { type JobHelpers, Logger, type Runner, run, runMigrations, type TaskList } from 'graphile-worker'
import type { Log } from '#contract/shared/environment.ts'
import type { Database } from '../engine/connect.ts'
import { parseTraceparent } from '../engine/trace.ts'

/** Of messages, in the queue's own scale, where the usual is 0: what moves money never waits behind a mail server that is slow. */
export const mailPriority = 10
/** Of encoding pictures, which everything else comes before. */
export const imagePriority = 20

/** @param jobId stays the same when the job is tried again */
export type Task = (facts: unknown, jobId: string) => Promise<void>

/**
 * Works off jobs until stopped: a job that throws is tried again later, ever less often, and others go on meanwhile. After
 * some four days and 25 tries it is given up and kept: `database/operations/failed-jobs.ts`.
 * @param crontab lines of graphile-worker's crontab format, in UTC; what they start is not tried again but started anew
 */
export async function runJobs(
  url: string,
  tasks: Readonly<Record<string, Task>>,
  { db, crontab, log, concurrency = 4 }: { db: Database; crontab: string; log: Log; concurrency?: number },
): Promise<{ stop(): Promise<void> }> {
  const repeating = new Set(crontab.split('\n').map((line) => line.split(' ')[5]))
  const taskList: TaskList = Object.fromEntries(
    Object.entries(tasks).map(([name, work]) => [
      name,
      async (payload: unknown, { job }: JobHelpers) => {
        try {
          await work(payload, job.id)
        } catch (error) {
          if (!repeating.has(name)) throw error
          // Not a failed job: a day of trouble would leave one for every minute, and the next minute does the same work.
          log.warn({ task: name, error: withoutMailAddresses(String(error)) }, 'a repeated job failed')
        }
      },
    ]),
  )
  const runner: Runner = await run({
    connectionString: queueAddress(url),
    taskList,
    crontab,
    concurrency,
    maxPoolSize: concurrency + 2,
    noHandleSignals: true,
    pollInterval: 5_000,
    preset: { plugins: [lastNotes(db)] },
    logger: new Logger(() => (level, message, meta) => {
      if (level === 'error' || level === 'warning') log.warn(...lineOf(String(message), meta))
    }),
  })
  // A runner that ends by itself leaves mail unsent: that is worth a line, and the process goes on selling.
  runner.promise.catch((error: unknown) => log.error({ error: String(error) }, 'the job runner stopped'))
  return { stop: () => runner.stop() }
}

/**
 * The runner does not wait while it notes that a job is done or has failed, and closes its connections as soon as its workers have
 * stopped: the last notes were lost, and their jobs held by nobody for minutes and done once more. So its end waits until none is held.
 */
const lastNotes = ({ sql }: Pick<Database, 'sql'>): GraphileConfig.Plugin => ({
  name: 'last-notes',
  version: '1.0.0',
  worker: {
    middleware: {
      async poolGracefulShutdown(next, { workerPool }) {
        await next()
        const isHeld = async () => {
          const [held] = await sql`
            select 1 from graphile_worker._private_jobs where locked_by = (select ${workerPool.id}::text) limit 1`
          return held && sql`select pg_sleep(${notingSeconds})`
        }
        for (let looks = 0; looks < mostLooks; looks += 1) if (!(await isHeld().catch(() => false))) return
      },
    },
  },
})

const notingSeconds = 0.02
/** Where no note can be taken, others find out in five minutes. */
const mostLooks = 150
export const lastNotesMs = mostLooks * notingSeconds * 1_000

/**
 * A job that failed is known by its number and name. What it was about stays out of the log, and so does whom the error names:
 * mail servers repeat the address that they refuse.
 */
function lineOf(
  message: string,
  meta: { job?: unknown; error?: unknown } | undefined,
): [Record<string, unknown>, string] {
  const job = jobOf(meta?.job)
  if (job === null || meta?.error === undefined) return [{ job: job?.id ?? null }, withoutMailAddresses(message)]
  const { id, task_identifier: task, attempts, payload } = job
  const trace = parseTraceparent(payload?.traceparent)
  const of = trace ? { traceId: trace.traceId } : {}
  return [{ job: id, task, attempts, ...of, error: withoutMailAddresses(String(meta.error)) }, 'a job failed']
}

type KnownJob = {
  readonly id: string
  readonly task_identifier: string
  readonly attempts: number
  readonly payload?: { readonly traceparent?: unknown }
}

/** The runner's messages about a job carry it as they took it. */
const jobOf = (job: unknown) => (typeof job === 'object' && job !== null ? (job as KnownJob) : null)

/** Mail servers repeat the address that they refuse. */
export const withoutMailAddresses = (text: string) => text.replace(/[^\s<>@"',;:]+@[^\s<>@"',;:]+/g, '…@…')

/**
 * The queue has a driver of its own, which takes `sslmode=require` for more than it says, and would refuse the certificates that
 * databases for rent sign themselves. This has it mean there what it means to libpq and to the shop's driver.
 */
export function queueAddress(url: string): string {
  const address = new URL(url)
  const mode = address.searchParams.get('sslmode')
  const same = { require: 'no-verify', prefer: 'no-verify', allow: 'no-verify', 'verify-ca': 'verify-full' }
  if (mode === null || !Object.hasOwn(same, mode)) return url
  address.searchParams.set('sslmode', same[mode as keyof typeof same])
  return address.href
}

/** Makes the queue's own tables where no runner has done so yet, so that jobs can be put down before a shop first opens. */
export async function prepareJobQueue({ sql }: Database, url: string): Promise<void> {
  if (await hasQueue(sql)) return
  await runMigrations({ connectionString: queueAddress(url), logger: new Logger(() => () => {}) })
}

/** Whether a shop has ever run here: its first start makes the queue. */
export async function hasQueue(sql: Database['sql']): Promise<boolean> {
  const [queue] = await sql<{ is: boolean }[]>`select to_regclass('graphile_worker._private_jobs') is not null as is`
  return queue?.is ?? false
}

/**
 * Gives back the jobs that a process held when it was killed; by itself the queue waits four hours for it. A job that was
 * tried before waits as one that failed does: it may be what kills the process.
 * @param longestMs jobs held for longer are believed to be of the dead, by the database's clock, which wrote down since when they
 * are; null: all are
 */
export async function releaseDeadJobs({ sql }: Database, longestMs: number | null): Promise<void> {
  if (!(await hasQueue(sql))) return
  const held = await sql<{ id: string; lockedBy: string }[]>`
    select id::text as id, locked_by as "lockedBy" from graphile_worker._private_jobs
    where locked_by is not null
      and (${longestMs}::float8 is null or locked_at <= now() - make_interval(secs => ${longestMs}::float8 / 1000))`
  if (held.length === 0) return
  await sql`select graphile_worker.force_unlock_workers(${[...new Set(held.map(({ lockedBy }) => lockedBy))]}::text[])`
  await sql`select graphile_worker.reschedule_jobs(array[id], run_at := now() + make_interval(secs => exp(least(attempts, 10))))
    from graphile_worker._private_jobs where id = any(${held.map(({ id }) => id)}::bigint[]) and attempts > 1 and locked_at is null`
}
