import type { Database } from '#database/engine/connect.ts'
import type { Row } from '#database/engine/schema/schema.ts'
import { brokenLedgerEntry, findLedger } from '#database/orders/ledger.ts'
import {
  findOrderItems,
  findOrderNotes,
  findShownOrder,
  type OrderItemRow,
  type OrderRow,
} from '#database/orders/orders.ts'
import {
  type AttemptRow,
  type AuthorizationRow,
  type CaptureRow,
  findAttempts,
  findAuthorizations,
  findCaptures,
} from '#database/payments/payments.ts'
import { findDisputes, findRefunds, type RefundRow } from '#database/payments/refunds.ts'
import { findWalletOrders, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { sha256 } from '../shared/digest.ts'

/** Complete record of one order, for the merchant. */
export type OrderRecord = {
  readonly order: OrderRow
  readonly items: readonly OrderItemRow[]
  readonly walletOrders: readonly WalletOrderRow[]
  readonly attempts: readonly AttemptRow[]
  readonly authorizations: readonly AuthorizationRow[]
  readonly captures: readonly CaptureRow[]
  readonly refunds: readonly RefundRow[]
  readonly disputes: readonly Row<'disputes'>[]
  readonly ledger: readonly Row<'ledger'>[]
  /** First ledger entry that breaks the hash chain; null: the chain is intact. */
  readonly brokenLedgerEntry: number | null
  readonly notes: readonly Row<'order_notes'>[]
}

export async function readOrderRecord({ kysely }: Database, id: number): Promise<OrderRecord | null> {
  const [order, items, walletOrders, attempts, authorizations, captures, refunds, disputes, ledger, notes] =
    await Promise.all([
      findShownOrder(kysely, id),
      findOrderItems(kysely, id),
      findWalletOrders(kysely, id),
      findAttempts(kysely, id),
      findAuthorizations(kysely, id),
      findCaptures(kysely, id),
      findRefunds(kysely, id),
      findDisputes(kysely, id),
      findLedger(kysely, id),
      findOrderNotes(kysely, id),
    ])
  if (!order) return null
  const broken = brokenLedgerEntry(ledger, sha256)
  return {
    order,
    items,
    walletOrders,
    attempts: attempts.map(withoutMeans),
    authorizations,
    captures,
    refunds,
    disputes,
    ledger,
    brokenLedgerEntry: broken,
    notes,
  }
}

/** Removes payment data from an unsettled attempt, stored there only for the repeat of its call. */
function withoutMeans(attempt: AttemptRow): AttemptRow {
  if (!attempt.result || !('means' in attempt.result)) return attempt
  const { means: _, body: __, ...result } = attempt.result
  return { ...attempt, result }
}
