import type { Transaction } from 'kysely'
import type { WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/connect.ts'
import { giveBackCouponUses } from '#database/coupons.ts'
import { appendToLedger, type LedgerEvent } from '#database/ledger.ts'
import { addOrderNote, findOrderItems, lockOrder, type OrderRow, updateOrder } from '#database/orders.ts'
import {
  type AttemptRow,
  closeAttempt,
  findCaptures,
  insertCapture,
  setWalletState,
  type WalletOrderRow,
} from '#database/payments.ts'
import type { RowChange, Schema } from '#database/schema.ts'
import { mayMove } from '#domain/orders/order-status.ts'
import { mayMovePayment, type PaymentState } from '#domain/payments/payment-state.ts'
import { fromAmount } from '#paypal/amounts.ts'
import { sha256 } from './digest.ts'
import { enqueue } from './jobs.ts'
import { statusOfPaid } from './order-lines.ts'
import { captureIn, judge } from './read-wallet-order.ts'
import { returnOrderStock, takeOrderStock } from './reserve-order-stock.ts'
import type { Tools } from './tools.ts'

type Outcome = 'captured' | 'review' | 'failed' | 'attention'

/**
 * Writes down what the provider says about an order's money, and all that follows from it, in one transaction: the
 * capture, the order's state, the stock, the ledger, the messages. Doing it twice changes nothing.
 */
export async function recordCapture(
  tools: Tools,
  { order: { id: orderId }, wallet: row, attempt }: { order: OrderRow; wallet: WalletOrderRow; attempt: AttemptRow },
  wallet: WalletOrder,
): Promise<{ order: OrderRow; outcome: Outcome }> {
  const capture = captureIn(wallet)
  if (!capture) throw new Error(`the wallet order ${wallet.id} holds no capture`)
  const amount = fromAmount(capture.amount)
  const fee = capture.seller_receivable_breakdown?.paypal_fee
  const now = tools.clock.now()

  const recorded = await transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Error(`the order ${orderId} is gone`)
    const judgement = judge(tools, order, row, wallet, capture)
    const known = (await findCaptures(tx, orderId)).find(({ id }) => id === capture.id)
    const settled: PaymentState = judgement.state === 'captured' ? 'paid' : judgement.state
    if (known?.status === capture.status && order.payment_state === settled) {
      await closeAttempt(tx, attempt.id, { state: 'succeeded', result: { capture: capture.id }, at: now })
      return { order, outcome: judgement.state, news: false }
    }

    await insertCapture(tx, {
      id: capture.id,
      order_id: orderId,
      wallet_order_id: row.id,
      status: capture.status,
      amount: amount?.minor ?? 0,
      currency: capture.amount.currency_code,
      environment: tools.paymentEnvironment,
      fee: (fee && fromAmount(fee)?.minor) ?? null,
      captured_at: now,
    })
    await setWalletState(tx, row.id, { state: wallet.status })
    const refused = judgement.state === 'failed'
    const result = { capture: capture.id, status: capture.status }
    await closeAttempt(tx, attempt.id, { state: refused ? 'refused' : 'succeeded', result, at: now })

    const events: LedgerEvent[] = [
      {
        kind: 'capture-recorded',
        data: {
          capture: capture.id,
          status: capture.status,
          amount: amount?.minor ?? null,
          currency: capture.amount.currency_code,
        },
      },
    ]
    const outcome = await settle(tools, tx, order, judgement.state, {
      captureId: capture.id,
      events,
      mismatch: judgement.state === 'attention' ? `the provider's ${judgement.mismatch} differs` : null,
    })
    await appendToLedger(tx, orderId, now, events, sha256)
    tools.checkpoint('S12 before commit')
    const after = await lockOrder(tx, orderId)
    return { order: after ?? order, outcome, news: true }
  })
  tools.checkpoint('S13 after commit')
  if (recorded.news) {
    tools.log.info({ orderId, capture: capture.id, outcome: recorded.outcome }, 'a payment was recorded')
  }
  return recorded
}

/** Moves the order to where its money says; what cannot be moved there by the rules is shown to a person. */
async function settle(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  wanted: Outcome,
  facts: { captureId: string; events: LedgerEvent[]; mismatch: string | null },
): Promise<Outcome> {
  const now = tools.clock.now()
  const attention = async (why: string): Promise<Outcome> => {
    await updateOrder(tx, order.id, { payment_state: 'attention', attention: why, updated_at: now })
    await addOrderNote(tx, order.id, `Needs attention: ${why} (capture ${facts.captureId}).`, now)
    facts.events.push({ kind: 'needs-attention', data: { why } })
    return 'attention'
  }
  const move = async (change: RowChange<'orders'>, note: string) => {
    await updateOrder(tx, order.id, { ...change, updated_at: now })
    await addOrderNote(tx, order.id, note, now)
    facts.events.push({ kind: String(change.payment_state), data: { status: change.status ?? order.status } })
  }

  if (wanted === 'attention') return attention(facts.mismatch ?? 'the payment does not fit the order')
  if (wanted === 'failed') {
    if (order.payment_state === 'review') {
      // Everything that the order had taken goes back.
      if (order.stock_reduced) await returnOrderStock(tools, tx, order.id, await findOrderItems(tx, order.id))
      await giveBackCouponUses(tx, order.id)
      const change = { payment_state: 'failed', status: 'failed', stock_reduced: false } as const
      await move(change, 'The provider denied the payment.')
    } else if (mayMovePayment(order.payment_state, 'pending')) {
      await move({ payment_state: 'pending' }, 'The payment was declined.')
    }
    return 'failed'
  }

  const items = await findOrderItems(tx, order.id)
  const paid = wanted === 'captured'
  const status = paid ? statusOfPaid(items) : 'on-hold'
  const state = paid ? 'paid' : 'review'
  if (order.status === 'cancelled') return attention('money was taken for a cancelled order')
  if (!mayMove(order.status, status) || !mayMovePayment(order.payment_state, state)) {
    return attention(`an order that is ${order.status} and ${order.payment_state} cannot become ${state}`)
  }
  if (!order.stock_reduced && !(await takeOrderStock(tools, tx, order.id, items))) {
    return attention('the money was taken, but a product is sold out')
  }
  await move(
    {
      status,
      payment_state: state,
      transaction_id: facts.captureId,
      stock_reduced: true,
      ...(paid ? { paid_at: now } : {}),
    },
    paid ? `Paid by PayPal (capture ${facts.captureId}).` : 'The provider is looking at the payment.',
  )
  const kind = paid ? 'customer_processing_order' : 'customer_on_hold_order'
  const kinds = [kind, 'new_order'] as const
  await enqueue(tx, 'order-mail', { orderId: order.id, kinds }, { key: `order-mail-${order.id}-${kind}` })
  return wanted
}
