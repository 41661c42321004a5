import type { Database } from '#database/connect.ts'
import { brokenLedgerEntry, findLedger } from '#database/ledger.ts'
import { findOrder, findOrderItems, findOrderNotes, type OrderItemRow, type OrderRow } from '#database/orders.ts'
import {
  type AttemptRow,
  type CaptureRow,
  findAttempts,
  findCaptures,
  findWalletOrders,
  type WalletOrderRow,
} from '#database/payments.ts'
import type { Row } from '#database/schema.ts'
import { sha256 } from './digest.ts'

/** Everything that the shop knows of one order, for the merchant. */
export type OrderRecord = {
  readonly order: OrderRow
  readonly items: readonly OrderItemRow[]
  readonly walletOrders: readonly WalletOrderRow[]
  readonly attempts: readonly AttemptRow[]
  readonly captures: readonly CaptureRow[]
  readonly ledger: readonly Row<'ledger'>[]
  /** The first ledger entry that does not follow from the one before; null: the chain is whole. */
  readonly brokenLedgerEntry: number | null
  readonly notes: readonly Row<'order_notes'>[]
}

export async function readOrderRecord({ kysely }: Database, id: number): Promise<OrderRecord | null> {
  const [order, items, walletOrders, attempts, captures, ledger, notes] = await Promise.all([
    findOrder(kysely, id),
    findOrderItems(kysely, id),
    findWalletOrders(kysely, id),
    findAttempts(kysely, id),
    findCaptures(kysely, id),
    findLedger(kysely, id),
    findOrderNotes(kysely, id),
  ])
  if (!order) return null
  const broken = brokenLedgerEntry(ledger, sha256)
  return { order, items, walletOrders, attempts, captures, ledger, brokenLedgerEntry: broken, notes }
}
