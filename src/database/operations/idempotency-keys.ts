import { sql } from 'kysely'
import type { Database } from '../engine/connect.ts'

export type StoredAnswer = { status: number; headers: Readonly<Record<string, string>>; body: string }

export type KeyClaim =
  /** This request must run. */
  { kind: 'run' } | { kind: 'running' } | { kind: 'conflict' } | { kind: 'done'; answer: StoredAnswer }

/**
 * Claims an idempotency key in one statement, or returns the state of an earlier request with it. A claim whose request
 * never ended expires after `abandonedBefore`.
 */
export async function claimKey(
  { kysely }: Database,
  claim: { scope: string; key: string; bodyHash: string; now: Date; expiresAt: Date; abandonedBefore: Date },
): Promise<KeyClaim> {
  const { rows } = await sql<{
    mine: boolean
    body_hash: string
    status: number | null
    headers: Record<string, string>
    body: string | null
  }>`
    with claimed as (
      insert into idempotency_keys as known (scope, key, body_hash, created_at, expires_at)
      values (${claim.scope}, ${claim.key}, ${claim.bodyHash}, ${claim.now}, ${claim.expiresAt})
      on conflict (scope, key) do update
        set body_hash = excluded.body_hash, created_at = excluded.created_at, expires_at = excluded.expires_at, status = null, body = null
        where known.expires_at < ${claim.now}
          or (known.status is null and known.created_at < ${claim.abandonedBefore} and known.body_hash = excluded.body_hash)
      returning true as mine, body_hash, status, headers, body
    )
    select * from claimed
    union all
    select false, body_hash, status, headers, body from idempotency_keys
    where scope = ${claim.scope} and key = ${claim.key} and not exists (select from claimed)`.execute(kysely)
  const row = rows[0]
  // Without a visible row, the other request's claim is not committed yet: it is running.
  if (!row) return { kind: 'running' }
  if (row.mine) return { kind: 'run' }
  if (row.body_hash !== claim.bodyHash) return { kind: 'conflict' }
  if (row.status === null) return { kind: 'running' }
  return { kind: 'done', answer: { status: row.status, headers: row.headers, body: row.body ?? '' } }
}

export async function keepAnswer(
  { kysely }: Database,
  scope: string,
  key: string,
  answer: StoredAnswer,
): Promise<void> {
  await kysely
    .updateTable('idempotency_keys')
    .set({ status: answer.status, headers: answer.headers, body: answer.body })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .execute()
}

/** Releases the key of a failed request: a retry runs as new. */
export async function releaseKey({ kysely }: Database, scope: string, key: string): Promise<void> {
  await kysely.deleteFrom('idempotency_keys').where('scope', '=', scope).where('key', '=', key).execute()
}

export async function deleteExpiredKeys({ kysely }: Database, now: Date): Promise<void> {
  await kysely.deleteFrom('idempotency_keys').where('expires_at', '<', now).execute()
}
