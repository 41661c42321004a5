import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { type OrderItemRow, type OrderRow, replaceItemsOf, updateOrder } from '#database/orders/orders.ts'
import { findRefunds } from '#database/payments/refunds.ts'
import { feeItems } from '../../orders/order-from-quote.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import type { FiguresByMethod, FiguresOfMethod } from './figures-by-method.ts'
import type { PaymentMethodFacts } from './payment-method-facts.ts'

type Chosen = Pick<PaymentMethodFacts, 'id' | 'title'>

/**
 * Returns the totals of an order for a payment method, from those calculated when the order was placed: method fees
 * differ. Returns null where nothing changes: no fee depends on the method, or the order already uses it.
 */
export function figuresFor(order: OrderRow, items: readonly OrderItemRow[], { id }: Chosen): FiguresOfMethod | null {
  // Written by `place-order.ts` alone, with this type.
  const byMethod = order.figures_by_method as FiguresByMethod | null
  if (!byMethod || order.payment_method === id) return null
  const figures = (Object.hasOwn(byMethod, id) ? byMethod[id] : byMethod['']) ?? null
  if (!figures) return null
  // Both must be of one intention: a press handled by an older version of the shop leaves figures of before.
  const kept = items.filter(({ type }) => type === 'line_item' || type === 'shipping')
  const lines = kept.reduce((sum, { total, total_tax }) => sum + total + total_tax, 0)
  const fees = figures.fees.reduce((sum, { amount, tax }) => sum + amount + tax, 0)
  return lines + fees === figures.total ? figures : null
}

/**
 * Applies the figures of the chosen payment method to an order whose row is locked. A wallet order of another amount
 * is no longer captured: the amounts are compared before the capture.
 * @returns the updated order, or null where nothing depends on the method
 */
export async function followMethod(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  items: readonly OrderItemRow[],
  chosen: Chosen,
): Promise<OrderRow | null> {
  const figures = figuresFor(order, items, chosen)
  // Refunds reference the rows that they refund.
  if (!figures || (await findRefunds(tx, order.id)).length > 0) return null
  const now = tools.clock.now()
  const change = {
    payment_method: chosen.id,
    payment_method_title: chosen.title,
    cart_tax: figures.cartTax,
    total_tax: figures.totalTax,
    total: figures.total,
    base_total: figures.baseTotal,
    updated_at: now,
  }
  await updateOrder(tx, order.id, change)
  await replaceItemsOf(tx, order.id, ['fee', 'tax'], feeItems(figures))
  const data = { method: chosen.id, total: figures.total, currency: order.currency }
  await appendToLedger(tx, order.id, now, [{ kind: 'method-chosen', data }], sha256)
  return { ...order, ...change }
}
