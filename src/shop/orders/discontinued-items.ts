import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { OrderItem } from '#database/orders/orders.ts'
import { itemName } from './order-lines.ts'

/**
 * Returns the names of ordered products that are no longer for sale: unpublished, or marked as sold out. Stock
 * quantities are checked by the reservation.
 */
export async function discontinuedProducts(
  db: Kysely<Schema> | Transaction<Schema>,
  orderId: number,
): Promise<string[]> {
  const { rows } = await sql<Pick<OrderItem, 'type' | 'name' | 'facts'>>`
    select i.type, i.name, i.facts from order_items i
    left join products p on p.id = coalesce(i.variation_id, i.product_id)
    left join products parent on parent.id = p.parent_id
    where i.order_id = ${orderId} and i.type = 'line_item' and (
      p.id is null or p.status <> 'publish' or coalesce(parent.status, 'publish') <> 'publish'
      or (p.manage_stock = 'no' and p.stock_status = 'outofstock'))
    order by i.position`.execute(db)
  return rows.map(itemName)
}
