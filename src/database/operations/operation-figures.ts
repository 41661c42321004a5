import type { Database } from '../engine/connect.ts'
import { hasQueue } from './job-queue.ts'

export type JobFigures = {
  readonly task: string
  /** Number of due jobs that were not begun. */
  readonly waiting: number
  readonly failed: number
  /** Age of the oldest due job in seconds. */
  readonly oldestSeconds: number
}

/** Returns queue figures by kind of job, including unclaimed emails. Empty if no shop has run yet. */
export async function jobFigures({ sql }: Pick<Database, 'sql'>): Promise<readonly JobFigures[]> {
  if (!(await hasQueue(sql))) return []
  const [jobs, [mail]] = await Promise.all([
    queueFigures(sql),
    sql<Pick<JobFigures, 'waiting' | 'oldestSeconds'>[]>`
      select count(*) as waiting, coalesce(extract(epoch from now() - min(waits_since)), 0)::float8 as "oldestSeconds"
      from sent_mail where waits_since is not null`,
  ])
  return jobs.map((one) => {
    if (one.task !== 'order-mail' || !mail) return one
    const oldestSeconds = Math.max(one.oldestSeconds, mail.oldestSeconds)
    return { ...one, waiting: one.waiting + mail.waiting, oldestSeconds }
  })
}

function queueFigures(sql: Database['sql']): Promise<readonly JobFigures[]> {
  return sql<JobFigures[]>`
    select task.identifier as task,
      count(job.id) filter (where job.attempts < job.max_attempts and job.locked_at is null and job.run_at <= now()) as waiting,
      count(job.id) filter (where job.attempts >= job.max_attempts and job.locked_at is null) as failed,
      coalesce(extract(epoch from now() - min(job.run_at) filter (
        where job.attempts < job.max_attempts and job.locked_at is null and job.run_at <= now())), 0)::float8 as "oldestSeconds"
    from graphile_worker._private_tasks task left join graphile_worker._private_jobs job on job.task_id = task.id
    group by task.identifier`
}

export type AttemptFigure = { readonly step: string; readonly state: string; readonly count: number }

/** Counts provider calls of the last quarter of an hour by outcome, at most the newest thousand. */
export async function attemptFigures({ sql }: Pick<Database, 'sql'>, since: Date): Promise<readonly AttemptFigure[]> {
  return sql<AttemptFigure[]>`
    select step, state, count(*) as count
    from (select step, state, opened_at from payment_attempts order by id desc limit 1000) newest
    where opened_at >= ${since} group by step, state`
}

/** Counts connections of all processes to this database, by state. */
export async function connectionFigures({
  sql,
}: Pick<Database, 'sql'>): Promise<readonly { state: string; count: number }[]> {
  return sql<{ state: string; count: number }[]>`
    select case when wait_event_type = 'Lock' then 'waiting' when state = 'active' then 'active'
      when state like 'idle in transaction%' then 'in-transaction' else 'idle' end as state, count(*) as count
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
    group by 1`
}
