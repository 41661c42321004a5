import { isDeepStrictEqual } from 'node:util'
import { findOrderItems, type OrderItemRow, type OrderRow } from '#database/orders/orders.ts'
import type { Quote } from '../cart/quote.ts'
import type { CheckoutForm } from '../checkout/checkout-form.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import type { Tools } from '../shared/tools.ts'
import { orderItems } from './order-from-quote.ts'

/** Reports whether an order's fixed prices have expired: the stock hold time since the last press. */
export function isPriceFreezeOver({ settings, clock }: Tools, { updated_at }: Pick<OrderRow, 'updated_at'>): boolean {
  return clock.now().getTime() > updated_at.getTime() + settings.holdStockMinutes * 60_000
}

/**
 * Returns the approved order if it is paid as placed, whatever changes prices, rates and taxes had since. Returns null
 * after its expiry, where the request differs, or where the form showed another total.
 * @param approved the approved order of this visitor
 */
export async function approvedFrozenOrder(
  tools: Tools,
  session: VisitSession,
  { approved: order, quote, form }: { approved: OrderRow | null; quote: Quote; form: CheckoutForm },
): Promise<OrderRow | null> {
  if (order?.status !== 'pending' || order.created_via !== 'checkout' || order.currency !== quote.currency) return null
  if (isPriceFreezeOver(tools, order) || (form.seenTotal !== null && form.seenTotal !== order.total)) return null
  const requested = {
    billing: form.billing,
    shipping: form.shipping,
    note: form.customerNote,
    method: form.paymentMethod,
  }
  const placed = {
    billing: order.billing,
    shipping: order.shipping,
    note: order.customer_note,
    method: order.payment_method,
  }
  const same = isDeepStrictEqual(requested, placed) && order.customer_id === session.customerId
  const items = await findOrderItems(tools.db.kysely, order.id)
  return same && isDeepStrictEqual(choicesIn(orderItems(quote)), choicesIn(items)) ? order : null
}

type Item = {
  type: OrderItemRow['type']
  product_id?: number | null | undefined
  variation_id?: number | null | undefined
  quantity?: number | undefined
  facts?: object | undefined
}

/** Returns the shopper's choices of an order; prices are the shop's. */
function choicesIn(items: readonly Item[]): unknown[] {
  return items.flatMap(({ type, product_id, variation_id, quantity, ...item }) => {
    const facts: Record<string, unknown> = { ...item.facts }
    switch (type) {
      case 'line_item':
        return [[type, product_id ?? null, variation_id ?? null, quantity, facts.attributes]]
      case 'shipping':
        return [[type, facts.rateId]]
      case 'coupon':
        return [[type, facts.couponId]]
      default:
        return []
    }
  })
}
