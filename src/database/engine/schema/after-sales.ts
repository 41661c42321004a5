import type { Generated, GeneratedAlways } from 'kysely'

// Types of the tables about paid orders; others are in schema.ts.

export type RefundsTable = {
  id: GeneratedAlways<number>
  order_id: number
  key: string
  body_hash: string
  state: 'open' | 'pending' | 'done' | 'refused'
  made_by: 'shop' | 'provider'
  by_provider: boolean
  capture_id: string | null
  attempt_id: number | null
  provider_id: string | null
  amount: number
  currency: string
  reason: Generated<string>
  restock: Generated<boolean>
  issue: string | null
  /** Refund of a duplicate payment: nothing of the order itself was refunded. */
  stray: Generated<boolean>
  created_at: Date
  settled_at: Date | null
}

export type RefundItemsTable = {
  refund_id: number
  item_id: number
  quantity: number
  total: Generated<number>
  total_tax: Generated<number>
  restocked: Generated<number>
}

export type DisputesTable = {
  id: string
  order_id: number
  status: string
  outcome: string | null
  changed_at: Date
}

export type DownloadPermissionsTable = {
  id: GeneratedAlways<number>
  order_id: number
  product_id: number | null
  file_id: string
  name: string
  token: string
  remaining: number | null
  expires_at: Date | null
  fetched: Generated<number>
  last_fetched_at: Date | null
  created_at: Date
}

export type SentMailTable = {
  message_id: string
  order_id: number | null
  kind: string
  recipient: string
  sent_at: Date | null
  /** The refund, note or product that is its subject. */
  about: number | null
  skipped: 'disabled' | 'nobody' | null
  /** Time of enqueueing, until a process claims it. */
  waits_since: Generated<Date | null>
  /** Time of the claim, while a process sends it. */
  taken_at: Generated<Date | null>
  traceparent: Generated<string | null>
}

export type SalesNewsTable = {
  id: GeneratedAlways<number>
  product_id: number
  pieces: number
}
