import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import { traceForJob } from '#database/engine/trace.ts'
import { imagePriority, mailPriority } from '#database/operations/job-queue.ts'

/** What leaves the shop later, and its facts. Only ids: whoever does the job reads what is true then. */
export type Jobs = {
  /** Put down by `#database/mail/messages.ts`, together with the row of the message. */
  'order-mail': { messageId: string }
  'finish-payment': { orderId: number }
  /** A way to pay that its customer has taken away. */
  'forget-method': { environment: 'sandbox' | 'live'; token: string }
  /** Of an order whose pieces were gone when its money had come. */
  'give-back': { orderId: number }
  /** Of an order whose pieces were gone when its money was held. */
  'let-go': { orderId: number }
  /** A parcel of an order, for the payment provider. `items` name order items; none: the whole order. */
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

/** A message about an account. What was typed into a form stands here as typed: whose it is, the job finds out. */
export type AccountMailFacts =
  | { kind: 'welcome'; customerId: number }
  /** `language` is that of the page where it was asked for, '' or left out for the shop's own. */
  | { kind: 'open-account'; email: string; language?: string; attribution?: object }
  | { kind: 'reset-password'; login: string; language?: string }
  | { kind: 'confirm-email'; customerId: number }
  /** To the address of before, and to one whose account is gone: nothing else knows them any more. */
  | { kind: 'email-changed' | 'account-closed'; email: string; username: string; language?: string }

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
