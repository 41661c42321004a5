import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#database/schema.ts'

/** What leaves the shop later, and its facts. Only ids: whoever does the job reads what is true then. */
export type Jobs = {
  'order-mail': { orderId: number; kinds: readonly OrderMailKind[] }
  'finish-payment': { orderId: number }
}

export type OrderMailKind = 'customer_processing_order' | 'new_order' | 'customer_on_hold_order'

/**
 * Puts a job down in the transaction that needs it: it exists if and only if that commits.
 * @param key one job per key: asking again for the same changes nothing
 */
export async function enqueue<Name extends keyof Jobs>(
  db: Kysely<Schema> | Transaction<Schema>,
  name: Name,
  facts: Jobs[Name],
  { key, runAt }: { key: string; runAt?: Date },
): Promise<void> {
  await sql`select graphile_worker.add_job(${name}::text, ${JSON.stringify(facts)}::text::json, job_key := ${key}::text,
    job_key_mode := 'preserve_run_at', run_at := ${runAt ?? null}::timestamptz)`.execute(db)
}
