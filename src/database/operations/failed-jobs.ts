import type { Database } from '../engine/connect.ts'
import { hasQueue } from './job-queue.ts'

/** A job that has failed at least once. */
export type FailedJob = {
  readonly id: string
  readonly task: string
  /** The email or its kind; never the recipient. */
  readonly about: string
  readonly attempts: number
  /** Number of attempts after which the queue gives up. */
  readonly mostAttempts: number
  readonly createdAt: Date
  /** Time of the next attempt; null after the last one. */
  readonly nextAt: Date | null
  readonly lastError: string
}

/** Lists permanently failed jobs, and with `all` also those to be retried: permanent failures first, oldest first. */
export async function listFailedJobs({ sql }: Pick<Database, 'sql'>, { all = false } = {}): Promise<FailedJob[]> {
  if (!(await hasQueue(sql))) return []
  return sql<FailedJob[]>`
    select job.id::text as id, task.identifier as task,
      coalesce(job.payload ->> 'messageId', job.payload ->> 'kind', '') as about,
      job.attempts::int as attempts, job.max_attempts::int as "mostAttempts", job.created_at as "createdAt",
      case when job.attempts < job.max_attempts then job.run_at end as "nextAt", coalesce(job.last_error, '') as "lastError"
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where job.locked_at is null and job.attempts > 0 and (${all} or job.attempts >= job.max_attempts)
    order by job.attempts < job.max_attempts, job.created_at, job.id`
}

/** Schedules jobs for a new series of attempts within seconds. @returns their number */
export async function retryJobs({ sql }: Pick<Database, 'sql'>, ids: readonly string[]): Promise<number> {
  if (!(await hasQueue(sql))) return 0
  const again = await sql`
    select id from graphile_worker.reschedule_jobs(${ids}::bigint[], run_at := now(), attempts := 0)`
  return again.length
}

/** Deletes jobs permanently; a running one stays. @returns their number */
export async function dropJobs({ sql }: Pick<Database, 'sql'>, ids: readonly string[]): Promise<number> {
  if (!(await hasQueue(sql))) return 0
  const gone = await sql`select id from graphile_worker.complete_jobs(${ids}::bigint[])`
  return gone.length
}
