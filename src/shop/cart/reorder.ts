import { findOrderItems, findShownOrder } from '#database/orders/orders.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import { itemName, lineFacts } from '../orders/order-lines.ts'
import type { Tools } from '../shared/tools.ts'
import { type AddRefusal, addAllToCart } from './add-to-cart.ts'

export type ReorderResult = {
  session: VisitSession
  added: number
  /** Items that were not added, with the order's name and the refusal. */
  refused: readonly { name: string; refusal: AddRefusal | null }[]
}

/** Adds the items of a customer's earlier order, as far as they are still sold. Null: not an order of this customer. */
export async function reorderItems(tools: Tools, before: VisitSession, orderId: number): Promise<ReorderResult | null> {
  const order = await findShownOrder(tools.db.kysely, orderId)
  if (!order || before.customerId === null || order.customer_id !== before.customerId) return null
  if (order.status !== 'completed') return null
  const items = await findOrderItems(tools.db.kysely, orderId)
  const lines = items.filter(({ type }) => type === 'line_item')
  const sold = lines.flatMap((item) => (item.product_id === null ? [] : [{ ...item, product_id: item.product_id }]))
  const { session, results } = await addAllToCart(
    tools,
    before,
    sold.map((item) => ({
      productId: item.product_id,
      variationId: item.variation_id,
      quantity: item.quantity,
      attributes: lineFacts(item).attributes,
    })),
  )
  const resultOf = new Map(sold.map(({ id }, at) => [id, results[at]]))
  const refused = lines.flatMap((item) => {
    const result = resultOf.get(item.id)
    return result?.ok ? [] : [{ name: itemName(item), refusal: result ?? null }]
  })
  return { session, added: results.filter(({ ok }) => ok).length, refused }
}
