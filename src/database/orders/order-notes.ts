import type { Kysely, Transaction } from 'kysely'
import type { Row, Schema } from '../engine/schema/schema.ts'

export type OrderNoteRow = Row<'order_notes'>

/** Lists an order's notes, the newest first. @param forCustomer null: all */
export async function listOrderNotes(
  db: Kysely<Schema>,
  orderId: number,
  { forCustomer, limit, offset }: { forCustomer: boolean | null; limit: number; offset: number },
): Promise<{ total: number; notes: OrderNoteRow[] }> {
  let wanted = db.selectFrom('order_notes').where('order_id', '=', orderId)
  if (forCustomer !== null) wanted = wanted.where('for_customer', '=', forCustomer)
  const [{ total }, notes] = await Promise.all([
    wanted.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    wanted.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
  ])
  return { total: Number(total), notes }
}

export function findOrderNote(db: Kysely<Schema>, orderId: number, id: number): Promise<OrderNoteRow | undefined> {
  return db
    .selectFrom('order_notes')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Deletes a note. Requires the lock of the order's row. */
export async function deleteOrderNote(tx: Transaction<Schema>, orderId: number, id: number): Promise<void> {
  await tx.deleteFrom('order_notes').where('order_id', '=', orderId).where('id', '=', id).execute()
}
