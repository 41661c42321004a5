import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import { traceForJob } from '#database/engine/trace.ts'
import { imagePriority, mailPriority } from '#database/operations/job-queue.ts'

/** Background jobs and their payloads. Only ids: the job reads the current state. */
export type Jobs = {
  /** Enqueued by `#database/mail/messages.ts`, together with the row of the email. */
  'order-mail': { messageId: string }
  'finish-payment': { orderId: number }
  /** A saved payment method that its customer has deleted. */
  'forget-method': { environment: 'sandbox' | 'live'; token: string }
  /** An order whose items were out of stock when it was paid. */
  'give-back': { orderId: number }
  /** An order whose items were out of stock when it was authorized. */
  'let-go': { orderId: number }
  /** A shipment of an order, for the payment provider. `items` are order items; none: the whole order. */
  'report-shipment': {
    orderId: number
    trackingNumber: string
    carrier: string
    items: readonly { itemId: number; quantity: number }[]
    notifyPayer: boolean
  }
  'account-mail': AccountMailFacts
  /** A picture of which only the first sizes exist. */
  'image-sizes': { imageId: number }
  /** Pages are made again that show pictures whose sizes are complete now. */
  'announce-images': Record<never, never>
}

/** An email about an account. Form input is stored as typed: the job looks up the account. */
export type AccountMailFacts =
  | { kind: 'welcome'; customerId: number }
  /** `language` is that of the requesting page, '' or absent for the shop's own. */
  | { kind: 'open-account'; email: string; language?: string; attribution?: object }
  | { kind: 'reset-password'; login: string; language?: string }
  | { kind: 'confirm-email'; customerId: number }
  /** For the previous address, and for a deleted account: the data exist nowhere else. */
  | { kind: 'email-changed' | 'account-closed'; email: string; username: string; language?: string }

/**
 * Enqueues a job in the transaction that needs it: it exists only if that commits.
 * @param key one job per key: a repeated call has no effect
 */
export async function enqueue<Name extends keyof Jobs>(
  db: Kysely<Schema> | Transaction<Schema>,
  name: Name,
  facts: Jobs[Name],
  { key, runAt }: { key: string; runAt?: Date },
): Promise<void> {
  await sql`select graphile_worker.add_job(${name}::text, ${JSON.stringify({ ...facts, ...traceForJob() })}::text::json, job_key := ${key}::text,
    job_key_mode := 'preserve_run_at', run_at := ${runAt ?? null}::timestamptz,
    queue_name := ${name === 'image-sizes' ? name : null}::text,
    priority := ${priorities[name] ?? 0}::int)`.execute(db)
}

/** Removes a job that is no longer needed; one that is running is not tried again. */
export async function removeJob(db: Kysely<Schema> | Transaction<Schema>, key: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${key}::text)`.execute(db)
}

const priorities: { readonly [Name in keyof Jobs]?: number } = {
  'order-mail': mailPriority,
  'account-mail': mailPriority,
  'image-sizes': imagePriority,
}
