import type { JobHelpers, Runner, TaskList } from 'graphile-worker'
import type { Log } from '#contract/shared/environment.ts'
import type { Database } from '../engine/connect.ts'
import { parseTraceparent } from '../engine/trace.ts'

/** Priority of emails on the queue's scale, where 0 is normal: payments never wait behind a slow mail server. */
export const mailPriority = 10
/** Priority of image encoding: every other job runs first. */
export const imagePriority = 20

/** @param jobId stays the same when the job is retried */
export type Task = (facts: unknown, jobId: string) => Promise<void>

/**
 * Runs jobs until stopped: a job that throws is retried with back-off, while others continue. After about four days and
 * 25 attempts it fails permanently, and is kept: `database/operations/failed-jobs.ts`.
 * @param crontab lines of graphile-worker's crontab format, in UTC; scheduled tasks are not retried but started again
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
          // Not a failed job: a day of trouble would leave one for every minute, and the next minute does the same
          // work.
          log.warn({ task: name, error: withoutMailAddresses(String(error)) }, 'scheduled task failed')
        }
      },
    ]),
  )
  const { Logger, run } = await import('graphile-worker')
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
  // A runner that stops leaves emails unsent: it is logged, and the process continues to serve.
  runner.promise.catch((error: unknown) => log.error({ error: String(error) }, 'job runner stopped'))
  return { stop: () => runner.stop() }
}

/**
 * The runner does not await its bookkeeping of finished jobs, and closes its connections when its workers stop. The
 * last results were lost, and their jobs stayed locked for minutes and ran again. Therefore its stop waits until none
 * is locked.
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
/** If results cannot be written, the locks expire in five minutes. */
const mostLooks = 150
export const lastNotesMs = mostLooks * notingSeconds * 1_000

/**
 * Logs a failed job by id and name. Its payload stays out of the log, and so do email addresses in the error, which
 * mail servers repeat.
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
  return [{ job: id, task, attempts, ...of, error: withoutMailAddresses(String(meta.error)) }, 'job failed']
}

type KnownJob = {
  readonly id: string
  readonly task_identifier: string
  readonly attempts: number
  readonly payload?: { readonly traceparent?: unknown }
}

/** The runner's log messages about a job include its row. */
const jobOf = (job: unknown) => (typeof job === 'object' && job !== null ? (job as KnownJob) : null)

/** Mail servers repeat the address that they reject. */
export const withoutMailAddresses = (text: string) => text.replace(/[^\s<>@"',;:]+@[^\s<>@"',;:]+/g, '…@…')

/**
 * Adapts a database URL for the queue's own driver. That takes `sslmode=require` as strict verification, and would
 * reject the self-signed certificates of managed databases. The result has the meaning of libpq and the shop's driver.
 */
export function queueAddress(url: string): string {
  const address = new URL(url)
  const mode = address.searchParams.get('sslmode')
  const same = { require: 'no-verify', prefer: 'no-verify', allow: 'no-verify', 'verify-ca': 'verify-full' }
  if (mode === null || !Object.hasOwn(same, mode)) return url
  address.searchParams.set('sslmode', same[mode as keyof typeof same])
  return address.href
}

/** Creates the queue's tables if no runner has done so, so that jobs can be enqueued before the shop first starts. */
export async function prepareJobQueue({ sql }: Database, url: string): Promise<void> {
  if (await hasQueue(sql)) return
  // Loaded here only: commands seldom need it, and it would take a fifth of their start.
  const { Logger, runMigrations } = await import('graphile-worker')
  await runMigrations({ connectionString: queueAddress(url), logger: new Logger(() => () => {}) })
}

/** Checks whether a shop has ever run here: its first start creates the queue. */
export async function hasQueue(sql: Database['sql']): Promise<boolean> {
  const [queue] = await sql<{ is: boolean }[]>`select to_regclass('graphile_worker._private_jobs') is not null as is`
  return queue?.is ?? false
}

/**
 * Releases the jobs that a killed process held; the queue itself waits four hours. A retried job waits as after a
 * failure: it may be the cause of the crash.
 * @param longestMs jobs locked for longer count as abandoned, by the clock of the database, which recorded the lock
 * time; null: all
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
