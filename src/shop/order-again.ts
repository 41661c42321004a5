import { findOrder, findOrderItems } from '#database/orders.ts'
import { type AddRefusal, addToCart } from './add-to-cart.ts'
import { lineFacts } from './order-lines.ts'
import type { Tools } from './tools.ts'
import type { VisitSession } from './visit-session.ts'

export type OrderedAgain = {
  session: VisitSession
  added: number
  /** What could not be put into the cart, by the name that it had, and why. */
  refused: readonly { name: string; refusal: AddRefusal | null }[]
}

/** Puts what a customer once bought into the cart again, as far as it is still sold. Null: no such order of this customer. */
export async function orderAgain(tools: Tools, before: VisitSession, orderId: number): Promise<OrderedAgain | null> {
  const order = await findOrder(tools.db.kysely, orderId)
  if (!order || before.customerId === null || order.customer_id !== before.customerId) return null
  if (order.status !== 'completed') return null
  const items = await findOrderItems(tools.db.kysely, orderId)
  let session = before
  let added = 0
  const refused: { name: string; refusal: AddRefusal | null }[] = []
  for (const item of items.filter(({ type }) => type === 'line_item')) {
    if (item.product_id === null) {
      refused.push({ name: item.name, refusal: null })
      continue
    }
    const { attributes } = lineFacts(item)
    const { product_id: productId, variation_id: variationId, quantity } = item
    const result = await addToCart(tools, session, { productId, variationId, quantity, attributes })
    if (!result.ok) {
      refused.push({ name: item.name, refusal: result })
      continue
    }
    session = result.session
    added += 1
  }
  return { session, added, refused }
}
