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
 * What an order comes to once it is paid this way, by what was worked out when it was placed: fees of another way to pay go,
 * those of this one come. Null where it stays as it is: its fees do not ask how it is paid, or it is that way's already.
 */
export function figuresFor(order: OrderRow, items: readonly OrderItemRow[], { id }: Chosen): FiguresOfMethod | null {
  // Written by `place-order.ts` alone, with this type.
  const byMethod = order.figures_by_method as FiguresByMethod | null
  if (!byMethod || order.payment_method === id) return null
  const figures = (Object.hasOwn(byMethod, id) ? byMethod[id] : byMethod['']) ?? null
  if (!figures) return null
  // Both must be of one press: whoever has ordered anew by an older version of this shop has left those of before.
  const kept = items.filter(({ type }) => type === 'line_item' || type === 'shipping')
  const lines = kept.reduce((sum, { total, total_tax }) => sum + total + total_tax, 0)
  const fees = figures.fees.reduce((sum, { amount, tax }) => sum + amount + tax, 0)
  return lines + fees === figures.total ? figures : null
}

/**
 * Gives an order the figures of the way to pay that was chosen for it, whose row must be locked. A wallet order that was
 * opened for another amount is not captured any more: the two are compared before money is taken.
 * @returns the order as it is then, or null where nothing of it depends on that
 */
export async function followMethod(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  items: readonly OrderItemRow[],
  chosen: Chosen,
): Promise<OrderRow | null> {
  const figures = figuresFor(order, items, chosen)
  // Refunds name the rows that they give back.
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
