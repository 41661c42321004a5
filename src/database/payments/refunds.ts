import { type Kysely, sql, type Transaction } from 'kysely'
import type { NewRow, Row, RowChange, Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>
type Tx = Transaction<Schema>
export type RefundRow = Row<'refunds'>
export type RefundItemRow = Row<'refund_items'>

/** Returns an order's refunds, oldest first, including declined ones. */
export function findRefunds(db: Db, orderId: number): Promise<RefundRow[]> {
  return db.selectFrom('refunds').selectAll().where('order_id', '=', orderId).orderBy('id').execute()
}

/** A refund and its tax; null if it was not entirely assigned to lines. */
export type RefundWithTax = RefundRow & { tax: number | null }

/** Like `findRefunds`, for callers that compute the remaining tax of the order. */
export function findRefundsWithTax(db: Db, orderId: number): Promise<RefundWithTax[]> {
  const tax = sql<number | null>`(
    select case when sum(i.total + i.total_tax) = refunds.amount then sum(i.total_tax)::float8 end
    from refund_items i where i.refund_id = refunds.id)`
  return db
    .selectFrom('refunds')
    .selectAll()
    .select(tax.as('tax'))
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
}

export function findRefund(db: Db, id: number): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the line items of an order's refunds. */
export function findRefundItems(db: Db, orderId: number): Promise<RefundItemRow[]> {
  return db
    .selectFrom('refund_items')
    .innerJoin('refunds', 'refunds.id', 'refund_items.refund_id')
    .selectAll('refund_items')
    .where('refunds.order_id', '=', orderId)
    .orderBy('refund_items.refund_id')
    .execute()
}

/** Returns the restocked quantities of an order's refunds, by line. */
export async function findRestocked(db: Db, orderId: number): Promise<Map<number, number>> {
  const rows = await findRefundItems(db, orderId)
  const restocked = new Map<number, number>()
  for (const row of rows) restocked.set(row.item_id, (restocked.get(row.item_id) ?? 0) + row.restocked)
  return restocked
}

/** Inserts a refund. Requires the lock of the order's row. */
export function insertRefund(tx: Tx, row: NewRow<'refunds'>): Promise<RefundRow> {
  return tx.insertInto('refunds').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Replaces the items of a refund. */
export async function replaceRefundItems(
  tx: Tx,
  refundId: number,
  items: readonly Omit<NewRow<'refund_items'>, 'refund_id'>[],
): Promise<void> {
  await tx.deleteFrom('refund_items').where('refund_id', '=', refundId).execute()
  if (items.length === 0) return
  await tx
    .insertInto('refund_items')
    .values(items.map((item) => ({ ...item, refund_id: refundId })))
    .execute()
}

export async function updateRefund(tx: Tx, id: number, change: RowChange<'refunds'>): Promise<void> {
  await tx.updateTable('refunds').set(change).where('id', '=', id).execute()
}

export async function markRestocked(tx: Tx, refundId: number, itemId: number, pieces: number): Promise<void> {
  await tx
    .updateTable('refund_items')
    .set({ restocked: pieces })
    .where('refund_id', '=', refundId)
    .where('item_id', '=', itemId)
    .execute()
}

/**
 * Returns refunds that the provider has accepted and not paid out yet.
 * @param chance in [0, 1), a different order for each: so none blocks the others
 */
export function findPendingRefunds(db: Db, { limit, chance }: { limit: number; chance: number }): Promise<RefundRow[]> {
  return db
    .selectFrom('refunds')
    .selectAll()
    .where('state', '=', 'pending')
    .orderBy(sql`hashint8extended(id, ${Math.floor(chance * 2 ** 32)}::bigint)`)
    .limit(limit)
    .execute()
}

/** Saves the provider's state of a dispute, unless a later one is stored. @returns whether it was new */
export async function saveDispute(tx: Tx, row: Row<'disputes'>): Promise<boolean> {
  const result = await tx
    .insertInto('disputes')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ status: row.status, outcome: row.outcome, changed_at: row.changed_at })
        .where('disputes.changed_at', '<', row.changed_at),
    )
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export function findDisputes(db: Db, orderId: number): Promise<Row<'disputes'>[]> {
  return db.selectFrom('disputes').selectAll().where('order_id', '=', orderId).orderBy('id').execute()
}
