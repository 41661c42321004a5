import { type Kysely, sql, type Transaction } from 'kysely'
import type { NewRow, Row, RowChange, Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>
type Tx = Transaction<Schema>
export type RefundRow = Row<'refunds'>
export type RefundItemRow = Row<'refund_items'>

/** An order's refunds, the oldest first, refused ones too. */
export function findRefunds(db: Db, orderId: number): Promise<RefundRow[]> {
  return db.selectFrom('refunds').selectAll().where('order_id', '=', orderId).orderBy('id').execute()
}

/** A refund, and what of it is tax: null where it was, all or partly, for no line in particular. */
export type RefundWithTax = RefundRow & { tax: number | null }

/** As `findRefunds`, for those who read what of the order's tax is left. */
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

/** What an order's refunds are for, line by line. */
export function findRefundItems(db: Db, orderId: number): Promise<RefundItemRow[]> {
  return db
    .selectFrom('refund_items')
    .innerJoin('refunds', 'refunds.id', 'refund_items.refund_id')
    .selectAll('refund_items')
    .where('refunds.order_id', '=', orderId)
    .orderBy('refund_items.refund_id')
    .execute()
}

/** Pieces of an order that refunds have put back on the shelf, by line. */
export async function findRestocked(db: Db, orderId: number): Promise<Map<number, number>> {
  const rows = await findRefundItems(db, orderId)
  const restocked = new Map<number, number>()
  for (const row of rows) restocked.set(row.item_id, (restocked.get(row.item_id) ?? 0) + row.restocked)
  return restocked
}

/** Writes a refund down. The order's row must be locked. */
export function insertRefund(tx: Tx, row: NewRow<'refunds'>): Promise<RefundRow> {
  return tx.insertInto('refunds').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Makes what a refund is for exactly this. */
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
 * Refunds that the provider has agreed to and not paid out yet.
 * @param chance in [0, 1), another order for each: none keeps the others from being looked at
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

/** Keeps what the provider says of a dispute, unless something later is known. @returns whether it was news */
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
