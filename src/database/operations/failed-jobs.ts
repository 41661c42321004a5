import type { Database } from '../engine/connect.ts'
import { hasQueue } from './job-queue.ts'

/** A job that has failed at least once. */
export type FailedJob = {
  readonly id: string
  readonly task: string
  /** Which message, or of what kind; never whom it concerns. */
  readonly about: string
  readonly attempts: number
  /** After as many it is given up. */
  readonly mostAttempts: number
  readonly createdAt: Date
  /** When it is tried again; null once it was given up. */
  readonly nextAt: Date | null
  readonly lastError: string
}

/** Jobs that were given up, and with `all` those that are tried again too: what is given up first, the oldest first. */
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

/** Has a running shop try jobs again within seconds, as often as new ones. @returns how many */
export async function retryJobs({ sql }: Pick<Database, 'sql'>, ids: readonly string[]): Promise<number> {
  if (!(await hasQueue(sql))) return 0
  const again = await sql`
    select id from graphile_worker.reschedule_jobs(${ids}::bigint[], run_at := now(), attempts := 0)`
  return again.length
}

/** Takes jobs out of the queue for good; one that runs at this moment stays. @returns how many */
export async function dropJobs({ sql }: Pick<Database, 'sql'>, ids: readonly string[]): Promise<number> {
  if (!(await hasQueue(sql))) return 0
  const gone = await sql`select id from graphile_worker.complete_jobs(${ids}::bigint[])`
  return gone.length
}
