import { Logger, type Runner, run, runMigrations, type TaskList } from 'graphile-worker'
import type { Log } from '#contract/environment.ts'

/** Brings the tables of the job queue up to date; they live in a schema of their own. */
export async function migrateJobQueue(url: string): Promise<void> {
  await runMigrations({ connectionString: url, logger: silent })
}

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

const silent = new Logger(() => () => {})
