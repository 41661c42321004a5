import type { Transaction } from 'kysely'
import type { Refund } from '#contract/paypal/capture.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { addOrderNote, findOrderItems, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import {
  type CaptureRow,
  findAuthorizations,
  findCapture,
  findCaptures,
  setCaptureStatus,
} from '#database/payments/payments.ts'
import {
  findDisputes,
  findRefundItems,
  findRefunds,
  markRestocked,
  type RefundRow,
  updateRefund,
} from '#database/payments/refunds.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { isAllowedTransition, type OrderStatus, takesStock } from '#domain/orders/order-status.ts'
import { duplicateCapture, isTaken, paymentStateFromCaptures } from '#domain/payments/money-status.ts'
import { type PaymentState, stateAfterRefunds } from '#domain/payments/payment-state.ts'
import { announceRefund } from '../../mail/mail-events.ts'
import { stockNeeds } from '../../orders/order-lines.ts'
import { returnOrderStock } from '../../orders/reserve-order-stock.ts'
import { transitionLockedOrder } from '../../orders/transition-order.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'

type Tx = Transaction<Schema>

/**
 * Records PayPal's state of an unsettled refund with all effects. Idempotent. The order's row must be locked.
 */
export async function recordRefund(
  tools: Tools,
  tx: Tx,
  order: OrderRow,
  refund: RefundRow,
  theirs: Pick<Refund, 'id' | 'status'>,
): Promise<RefundRow> {
  if (refund.state !== 'open' && refund.state !== 'pending') return refund
  if (theirs.status === 'COMPLETED') return settleRefund(tools, tx, order, { ...refund, provider_id: theirs.id })
  if (theirs.status !== 'PENDING') return refuseRefund(tools, tx, { ...refund, provider_id: theirs.id }, theirs.status)
  if (refund.state === 'pending') return refund
  const now = tools.clock.now()
  await updateRefund(tx, refund.id, { state: 'pending', provider_id: theirs.id })
  await updateOrder(tx, order.id, { updated_at: now })
  await addOrderNote(tx, order.id, `The provider has not paid the refund of ${amountOf(refund)} out yet.`, now)
  return { ...refund, state: 'pending', provider_id: theirs.id }
}

/** Records that the refund failed and no money was sent. */
export async function refuseRefund(tools: Tools, tx: Tx, refund: RefundRow, issue: string): Promise<RefundRow> {
  const now = tools.clock.now()
  const change = { state: 'refused', issue, settled_at: now, provider_id: refund.provider_id } as const
  await updateRefund(tx, refund.id, change)
  // API clients have read the refund as one of the order's.
  if (refund.state === 'pending') await updateOrder(tx, refund.order_id, { updated_at: now })
  await addOrderNote(tx, refund.order_id, `The refund of ${amountOf(refund)} failed: ${issue}.`, now)
  const event = { kind: 'refund-refused', data: { refund: refund.id, amount: refund.amount, issue } }
  await appendToLedger(tx, refund.order_id, now, [event], sha256)
  return { ...refund, ...change }
}

/** Settles a refund with its effects: stock, payment state, ledger and email. */
export async function settleRefund(tools: Tools, tx: Tx, order: OrderRow, refund: RefundRow): Promise<RefundRow> {
  const now = tools.clock.now()
  const change = { state: 'done', settled_at: now, provider_id: refund.provider_id } as const
  await updateRefund(tx, refund.id, change)
  const restocked = refund.restock && order.stock_reduced ? await restock(tools, tx, order, refund.id) : 0
  if (refund.amount === 0) {
    // No money moved: the customer gets no email, and the payment state stays.
    const data = { refund: refund.id, amount: 0, currency: refund.currency, made: refund.made_by, pieces: restocked }
    await transitionLockedOrder(tools, tx, order, {
      to: order.status,
      note: noteOf(refund, restocked),
      event: { kind: 'refund', data },
    })
    return { ...refund, ...change }
  }
  const done = (await findRefunds(tx, order.id)).filter(({ state }) => state === 'done')
  const sum = sumOf(done.filter(({ stray }) => !stray))
  const capture = await markCapture(tx, refund, done)
  const captures = await findCaptures(tx, order.id)
  const holds = await findAuthorizations(tx, order.id)
  const held = holds.some(({ status }) => status === 'CREATED' || status === 'PENDING')
  const full = !refund.stray && !held && sum >= receivedAmount(order, captures)
  const state = refund.stray
    ? await stateWithoutSecond(tx, order, capture, { sum, captures })
    : duplicateCapture(captures)
      ? order.payment_state
      : stateAfterRefunds(order.payment_state, { full })
  await transitionLockedOrder(tools, tx, order, {
    to: state === 'refunded' ? statusAfterRefund(order.status) : order.status,
    note: noteOf(refund, restocked),
    change: { payment_state: state, ...(state === 'attention' ? {} : { attention: null }) },
    event: {
      kind: 'refund',
      data: {
        refund: refund.id,
        amount: refund.amount,
        currency: refund.currency,
        provider: refund.provider_id,
        made: refund.made_by,
        left: order.total - sum,
        ...(refund.stray ? { capture: refund.capture_id, second: true } : {}),
      },
    },
  })
  await announceRefund(tx, { orderId: order.id, refundId: refund.id, full })
  return { ...refund, ...change }
}

/**
 * Returns the status of a fully refunded order. A pending order is cancelled: its stock is released, and the customer
 * may order again instead of seeing it as placed.
 */
function statusAfterRefund(status: OrderStatus): OrderStatus {
  if (status === 'pending') return 'cancelled'
  return isAllowedTransition(status, 'refunded') ? 'refunded' : status
}

const sumOf = (refunds: readonly RefundRow[]) => refunds.reduce((total, { amount }) => total + amount, 0)

/** Returns the refundable amount; in manual review the captured money instead of the order's total. */
function receivedAmount(order: OrderRow, captures: readonly CaptureRow[]): number {
  const came = captures.filter(({ stray, status }) => !stray && (isTaken({ status }) || status === 'REVERSED'))
  if (order.payment_state !== 'attention' || came.length === 0) return order.total
  return came.reduce((total, { amount }) => total + amount, 0)
}

/** Updates the capture's status by what is left of it after the refund. */
async function markCapture(tx: Tx, refund: RefundRow, done: readonly RefundRow[]): Promise<CaptureRow | undefined> {
  const capture = refund.capture_id === null ? undefined : await findCapture(tx, refund.capture_id)
  if (!capture) return undefined
  const back = sumOf(done.filter(({ capture_id: id }) => id === capture.id))
  // A reversed capture stays marked until all of it is accounted for.
  const rest = capture.status === 'REVERSED' ? 'REVERSED' : 'PARTIALLY_REFUNDED'
  const status = back >= capture.amount ? 'REFUNDED' : rest
  await setCaptureStatus(tx, capture.id, status)
  return { ...capture, status }
}

/** Returns the payment state after a second payment was refunded: the earlier one, if nothing else needs review. */
async function stateWithoutSecond(
  tx: Tx,
  order: OrderRow,
  second: CaptureRow | undefined,
  { sum, captures }: { sum: number; captures: readonly CaptureRow[] },
): Promise<PaymentState> {
  const wasWhy = second !== undefined && order.attention?.includes(second.id)
  const counts = takesStock(order.status) || order.status === 'refunded'
  if (order.payment_state !== 'attention' || second?.status !== 'REFUNDED' || !wasWhy || !counts) {
    return order.payment_state
  }
  const disputes = await findDisputes(tx, order.id)
  return paymentStateFromCaptures(order, sum, captures, disputes) ?? order.payment_state
}

/** @returns the number of restocked pieces */
async function restock(tools: Tools, tx: Tx, order: OrderRow, refundId: number): Promise<number> {
  const items = await findOrderItems(tx, order.id)
  const given = (await findRefundItems(tx, order.id)).filter(({ refund_id }) => refund_id === refundId)
  const back = items.flatMap((item) => {
    const quantity = given.find(({ item_id }) => item_id === item.id)?.quantity ?? 0
    return item.type === 'line_item' && quantity > 0 ? [{ ...item, quantity }] : []
  })
  await returnOrderStock(tools, tx, order.id, stockNeeds(back))
  for (const { id, quantity } of back) await markRestocked(tx, refundId, id, quantity)
  return back.reduce((sum, { quantity }) => sum + quantity, 0)
}

function noteOf(refund: RefundRow, restocked: number): string {
  const how = refund.by_provider ? `by PayPal (refund ${refund.provider_id})` : 'by hand'
  const who = refund.made_by === 'provider' ? ', made at the provider' : ''
  const why = refund.reason === '' ? '' : ` Reason: ${refund.reason}`
  const back = restocked === 0 ? '' : ` Back on the shelf: ${restocked}.`
  if (refund.amount === 0) return `Came back without money.${back}${why}`
  const what = refund.stray ? ' of a second payment' : ''
  return `${amountOf(refund)}${what} refunded ${how}${who}.${back}${why}`
}

export function amountOf({ amount, currency }: Pick<RefundRow, 'amount' | 'currency'>): string {
  return `${decimalString(money(amount, currency))} ${currency}`
}
