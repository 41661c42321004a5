import type { V3OrderWrite } from '#contract/orders/v3-order-input.ts'
import { findOrderItems, type OrderRow } from '#database/orders/orders.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import { placeOrder } from '../../checkout/place-order.ts'
import type { Tools } from '../../shared/tools.ts'
import { paidOrderStatus } from '../order-lines.ts'
import { transitionOrder } from '../transition-by-merchant.ts'
import { type ManualFault, manualFault } from './manual-order.ts'
import { manualFields } from './manual-order-fields.ts'
import { quoteManualOrder } from './quote-manual-order.ts'
import { readManualLines } from './read-manual-lines.ts'

export type ManualOrderResult =
  | { ok: true; order: OrderRow }
  | ({ ok: false; reason: 'invalid' } & ManualFault)
  | { ok: false; reason: 'sold-out'; productId: number; available: number }
  | { ok: false; reason: 'coupon-used-up'; code: string }

/** Statuses in which an order can be created. */
const firstStatuses: readonly OrderStatus[] = ['pending', 'on-hold', 'processing', 'completed', 'cancelled', 'failed']

/**
 * Creates an order of a program. It enters the checkout's pipeline at place, with a quote of the written lines and a
 * session of its own: same totals, stock, coupon uses and ledger. A status other than pending follows as a transition;
 * `set_paid` records a payment outside PayPal.
 */
export async function createManualOrder(tools: Tools, given: V3OrderWrite): Promise<ManualOrderResult> {
  const { status = 'pending' } = given
  if (!firstStatuses.includes(status)) return invalid('status', `must be one of ${firstStatuses.join(', ')}`)
  const fields = await manualFields(tools, given, null)
  if (!fields.ok) return { ...fields, reason: 'invalid' }
  const lines = await readManualLines(tools, given, null)
  if (!lines.ok) return { ...lines, reason: 'invalid' }
  if (lines.value.lines.length === 0) return invalid('line_items', 'An order must have at least one product.')
  const { billing, shipping, customer_id: customerId, payment_method: method, ...more } = fields.value
  const sessionId = `rest-api:${tools.chance.hex(16)}`
  const quote = await quoteManualOrder(tools, {
    ...lines.value,
    sessionId,
    customerId,
    billing,
    shipping,
    paymentMethod: method,
  })
  if (!quote.ok) return { ...quote, reason: 'invalid' }

  const placed = await placeOrder(tools, {
    sessionId,
    customerId,
    intention: 'rest-api',
    quote: quote.value,
    billing,
    shipping,
    customerNote: more.customer_note,
    paymentMethod: { id: method, title: more.payment_method_title },
    customerIp: '',
    customerUserAgent: '',
    createdVia: 'rest-api',
    attribution: null,
    terms: null,
    columns: { meta_data: more.meta_data, transaction_id: more.transaction_id },
  })
  if (!placed.ok) {
    if (placed.reason === 'sold-out') return { ok: false, reason: 'sold-out', ...placed.shortage }
    if (placed.reason === 'coupon-used-up') return placed
    throw new Error(`a new order was refused: ${placed.reason}`)
  }
  const { id } = placed.order
  const to = given.set_paid ? await paidStatusFor(tools, id, status) : status
  if (to === 'pending') return { ok: true, order: placed.order }
  const transactionId = more.transaction_id
  const moved = await transitionOrder(tools, id, {
    to,
    note: `Created by a program in status ${to}.`,
    ...(given.set_paid ? { paid: transactionId === null ? {} : { transactionId } } : {}),
  })
  if (!moved.ok) throw new Error(`the new order ${id} cannot change to ${to}: ${moved.reason}`)
  return moved
}

/** Returns the status of an order that was paid just now; a later one of the merchant stays. */
export async function paidStatusFor(tools: Tools, orderId: number, status: OrderStatus): Promise<OrderStatus> {
  if (status === 'processing' || status === 'completed') return status
  return paidOrderStatus(await findOrderItems(tools.db.kysely, orderId))
}

const invalid = (parameter: string, problem: string) =>
  ({ ...manualFault(parameter, problem), reason: 'invalid' }) as const
