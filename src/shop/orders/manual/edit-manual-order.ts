import type { Transaction } from 'kysely'
import type { V3OrderWrite } from '#contract/orders/v3-order-input.ts'
import { takeCouponUses } from '#database/coupons/coupons.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { findOrderItems, lockOrder, type OrderRow, rewriteOrderItems, updateOrder } from '#database/orders/orders.ts'
import { findAuthorizations, findCaptures, findUnsettledCapture } from '#database/payments/payments.ts'
import { findRefunds } from '#database/payments/refunds.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import type { Quote } from '../../cart/quote.ts'
import { isWaiting, type PlaceOrder, placedEvent, quantitiesByStock } from '../../checkout/place-order.ts'
import { addressOf } from '../../customers/sessions/login-state.ts'
import { followMethod } from '../../payments/operation/apply-payment-method.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { isImported } from '../imported-order.ts'
import { orderFigures, orderItems } from '../order-from-quote.ts'
import { stockNeeds } from '../order-lines.ts'
import { reserveOrderStock, returnOrderStock, takeOrderStock } from '../reserve-order-stock.ts'
import type { ManualOrderResult } from './create-manual-order.ts'
import { type ManualLine, manualFault } from './manual-order.ts'
import { type ManualFields, manualFields } from './manual-order-fields.ts'
import { quoteManualOrder } from './quote-manual-order.ts'
import { hasLines, type ManualLines, readManualLines } from './read-manual-lines.ts'

export type EditRefusal =
  | 'not-found'
  /** Its lines were paid, or a payment of them is in progress; or it was imported from another shop. */
  | 'not-editable'
  /** Its personal data were erased. */
  | 'erased'
  /** The provider's payment decides method and transaction. */
  | 'paid-by-provider'
  /** Another request changes the order all the time. */
  | 'busy'

export type EditResult = ManualOrderResult | { ok: false; reason: EditRefusal }

/** Reports whether a program may change the lines of an order: nothing is paid, and no payment is in progress. */
export function isEditable(order: OrderRow): boolean {
  const isOnHold = order.status === 'on-hold' && ['none', 'pending', 'failed'].includes(order.payment_state)
  return (
    order.trashed_at === null &&
    !isImported(order) &&
    (isOnHold || (isWaiting(order) && order.payment_state !== 'authorising'))
  )
}

/**
 * Changes fields and lines of an order for a program. Changed lines price the order anew; lines that the request leaves
 * out keep their amounts. The status changes by a transition only, not here.
 */
export async function editManualOrder(tools: Tools, orderId: number, given: V3OrderWrite): Promise<EditResult> {
  for (let tries = 0; tries < 5; tries += 1) {
    const result = await tryEdit(tools, orderId, given)
    if (result !== 'changed-meanwhile') return result
  }
  return { ok: false, reason: 'busy' }
}

class Refusal extends Error {
  readonly result: EditResult & { ok: false }
  constructor(result: EditResult & { ok: false }) {
    super(result.reason)
    this.result = result
  }
}

async function tryEdit(tools: Tools, orderId: number, given: V3OrderWrite): Promise<EditResult | 'changed-meanwhile'> {
  const { kysely } = tools.db
  const [order, items] = await Promise.all([
    kysely.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirst(),
    findOrderItems(kysely, orderId),
  ])
  if (!order || order.deleted_at !== null) return { ok: false, reason: 'not-found' }
  if (isImported(order)) return { ok: false, reason: 'not-editable' }
  const isPersonal = given.billing ?? given.shipping ?? given.customer_id ?? given.customer_note ?? given.meta_data
  if (order.personal_data !== 'kept' && isPersonal !== undefined) return { ok: false, reason: 'erased' }
  const fields = await manualFields(tools, given, order)
  if (!fields.ok) return { ...fields, reason: 'invalid' }
  let priced: { lines: ManualLines; quote: Quote } | null = null
  if (hasLines(given)) {
    if (!isEditable(order)) return { ok: false, reason: 'not-editable' }
    if (order.currency !== tools.settings.currency) return { ok: false, reason: 'not-editable' }
    const read = await readManualLines(tools, given, { order, items })
    if (!read.ok) return { ...read, reason: 'invalid' }
    if (read.value.lines.length === 0)
      return { ...manualFault('line_items', 'An order must have at least one product.'), reason: 'invalid' }
    const { customer_id: customerId, billing, shipping, payment_method: paymentMethod } = fields.value
    const wanted = { ...read.value, sessionId: order.session_id, customerId, billing, shipping, paymentMethod }
    const quote = await quoteManualOrder(tools, wanted)
    if (!quote.ok) return { ...quote, reason: 'invalid' }
    priced = { lines: read.value, quote: quote.value }
  }
  return transaction(tools, async (tx): Promise<EditResult | 'changed-meanwhile'> => {
    const locked = await lockOrder(tx, orderId)
    if (locked?.updated_at.getTime() !== order.updated_at.getTime() || locked.status !== order.status)
      return 'changed-meanwhile'
    const refusal = await refusalOf(tx, order, fields.value)
    if (refusal) return { ok: false, reason: refusal }
    if (priced && (await findUnsettledCapture(tx, orderId))) return { ok: false, reason: 'not-editable' }
    if (!priced && isWaiting(order) && fields.value.payment_method !== order.payment_method) {
      const chosen = { id: fields.value.payment_method, title: fields.value.payment_method_title }
      await followMethod(tools, tx, order, items, chosen)
    }
    await updateOrder(tx, orderId, { ...fields.value, updated_at: tools.clock.now() })
    if (priced) await rewriteLines(tools, tx, order, fields.value, priced)
    const after = await lockOrder(tx, orderId)
    if (!after) throw new Error(`the order ${orderId} is missing`)
    return { ok: true, order: after }
  }).catch((error: unknown) => {
    if (error instanceof Refusal) return error.result
    throw error
  })
}

/** Refuses another method or transaction for an order that the provider's payment pays. */
async function refusalOf(
  tx: Transaction<Schema>,
  order: OrderRow,
  { payment_method: method, transaction_id: transactionId }: ManualFields,
): Promise<EditRefusal | null> {
  if (method === order.payment_method && transactionId === order.transaction_id) return null
  const [captures, holds] = await Promise.all([findCaptures(tx, order.id), findAuthorizations(tx, order.id)])
  return captures.length > 0 || holds.length > 0 ? 'paid-by-provider' : null
}

/** Writes the new lines and figures with stock, coupon uses and ledger. The order's row must be locked. */
async function rewriteLines(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  fields: ManualFields,
  { lines, quote }: { lines: ManualLines; quote: Quote },
): Promise<void> {
  // Refunds refer to the items.
  if ((await findRefunds(tx, order.id)).length > 0) throw new Refusal({ ok: false, reason: 'not-editable' })
  const before = await findOrderItems(tx, order.id)
  if (order.stock_reduced) await returnOrderStock(tools, tx, order.id, stockNeeds(before))
  const wanted: PlaceOrder = {
    sessionId: order.session_id,
    customerId: fields.customer_id,
    intention: order.intention,
    quote,
    billing: fields.billing,
    shipping: fields.shipping,
    customerNote: fields.customer_note,
    paymentMethod: { id: fields.payment_method, title: fields.payment_method_title },
    customerIp: order.customer_ip,
    customerUserAgent: order.customer_user_agent,
    createdVia: 'rest-api',
    attribution: null,
    terms: null,
  }
  await updateOrder(tx, order.id, { ...orderFigures(wanted), created_via: order.created_via })
  const items = await rewriteOrderItems(tx, order.id, numbered(lines, quote))
  if (order.stock_reduced) {
    const isTaken = await takeOrderStock(tools, tx, order.id, items)
    if (!isTaken) throw new Refusal({ ok: false, reason: 'sold-out', productId: 0, available: 0 })
  } else if (order.status === 'pending') {
    const shortage = await reserveOrderStock(tools, tx, { id: order.id, isNew: false }, quantitiesByStock(quote))
    if (shortage) throw new Refusal({ ok: false, reason: 'sold-out', ...shortage })
  }
  // A failed order uses its coupons again when it is paid.
  if (order.status !== 'failed') {
    const email = emailIdentity(addressOf(fields.billing).email)
    const ids = quote.coupons.map(({ id }) => id)
    const usedUp = await takeCouponUses(tx, order.id, ids, email)
    const code = quote.coupons.find(({ id }) => id === usedUp)?.code
    if (code !== undefined) throw new Refusal({ ok: false, reason: 'coupon-used-up', code })
  }
  const event = placedEvent(wanted, false)
  const data = { ...event.data, status: order.status }
  await appendToLedger(tx, order.id, tools.clock.now(), [{ ...event, data }], sha256)
}

/** Returns the items of a quote with the ids of those that they continue. */
function numbered(lines: ManualLines, quote: Quote) {
  const ids = {
    line_item: [...lines.lines],
    shipping: [...lines.shippingLines],
    fee: [...lines.fees],
  } satisfies Record<string, Pick<ManualLine, 'itemId'>[]>
  return orderItems(quote).map((item) => {
    const next = item.type === 'tax' || item.type === 'coupon' ? undefined : ids[item.type].shift()
    return { ...item, id: next?.itemId ?? null }
  })
}
