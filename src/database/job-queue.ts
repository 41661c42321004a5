import { Logger, type Runner, run, type TaskList } from 'graphile-worker'
import type { Log } from '#contract/environment.ts'
import type { Database } from './connect.ts'

/**
 * Works off jobs until stopped: a job that throws is tried again later, ever less often, and others go on meanwhile.
 * @param crontab lines of graphile-worker's crontab format, in UTC
 */
export async function workOffJobs(
  url: string,
  tasks: Readonly<Record<string, (facts: unknown) => Promise<void>>>,
  { crontab, log, concurrency = 4 }: { crontab: string; log: Log; concurrency?: number },
): Promise<{ stop(): Promise<void> }> {
  const taskList: TaskList = Object.fromEntries(
    Object.entries(tasks).map(([name, work]) => [name, (payload: unknown) => work(payload)]),
  )
  const runner: Runner = await run({
    connectionString: url,
    taskList,
    crontab,
    concurrency,
    maxPoolSize: concurrency + 2,
    noHandleSignals: true,
    pollInterval: 5_000,
    logger: new Logger(() => (level, message, meta) => {
      if (level === 'error' || level === 'warning') log.warn({ job: meta?.job ?? null }, String(message))
    }),
  })
  // A runner that ends by itself leaves mail unsent: that is worth a line, and the process goes on selling.
  runner.promise.catch((error: unknown) => log.error({ error: String(error) }, 'the job runner stopped'))
  return { stop: () => runner.stop() }
}

/**
 * Gives back the jobs that a process held when it was killed; by itself the queue waits four hours for it.
 * @param heldSince jobs taken before are believed to be of the dead; null: all are
 */
export async function releaseDeadJobs({ sql }: Database, heldSince: Date | null): Promise<void> {
  // The queue makes its tables when it first runs.
  const [queue] = await sql<{ is: boolean }[]>`select to_regclass('graphile_worker._private_jobs') is not null as is`
  if (!queue?.is) return
  await sql`select graphile_worker.force_unlock_workers(array(
    select distinct locked_by from graphile_worker._private_jobs
    where locked_by is not null and (${heldSince}::timestamptz is null or locked_at <= ${heldSince}::timestamptz)))`
}
