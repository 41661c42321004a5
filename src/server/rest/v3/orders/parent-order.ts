import { idInput } from '#contract/shared/number-text.ts'
import { findKeptOrder, type OrderRow } from '#database/orders/orders.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { V3Error } from '../resource/v3-error.ts'

/**
 * Returns the order of a call below `orders/{order_id}`.
 * @throws V3Error 404 for an unknown one
 */
export async function parentOrder({ tools, path }: V3Context): Promise<OrderRow> {
  const id = idInput.safeParse(path.order_id ?? path.id)
  const order = id.success ? await findKeptOrder(tools.db.kysely, id.data) : undefined
  if (!order) throw new V3Error(404, 'woocommerce_rest_invalid_order_id', 'This order was not found.')
  return order
}
