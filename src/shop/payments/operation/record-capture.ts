import type { Transaction } from 'kysely'
import type { WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger, findLedgerEnd } from '#database/orders/ledger.ts'
import { addOrderNote, findOrderItems, lockOrder, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import {
  type AttemptRow,
  closeAttempt,
  findAuthorizations,
  findCaptures,
  insertCapture,
  ownsAttempt,
  setAuthorizationStatus,
} from '#database/payments/payments.ts'
import { findRestocked } from '#database/payments/refunds.ts'
import { setWalletState, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { isAllowedPaymentTransition, isOver, type PaymentState } from '#domain/payments/payment-state.ts'
import { fromAmount } from '#paypal/amounts.ts'
import { paidOrderStatus } from '../../orders/order-lines.ts'
import { type Known, type OrderTransition, transitionLockedOrder } from '../../orders/transition-order.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { settleSoldOut } from '../refund/refund-sold-out.ts'
import { saveMethodFromOrder } from '../vault/save-method-from-order.ts'
import { captureIn, judge, paidBy, walletPaymentTitle } from '../wallet/read-wallet-order.ts'
import { authorizationStatusAfterCapture } from './authorization-after-capture.ts'

type Outcome = 'captured' | 'review' | 'failed' | 'attention'

/**
 * Records an order's capture with all effects in one transaction: payment state, status, stock, ledger, emails.
 * Idempotent.
 */
export async function recordCapture(
  tools: Tools,
  {
    order: { id: orderId },
    wallet: claimed,
    attempt,
  }: { order: OrderRow; wallet: WalletOrderRow; attempt: AttemptRow },
  wallet: WalletOrder,
): Promise<{ order: OrderRow; outcome: Outcome }> {
  const capture = captureIn(wallet)
  if (!capture) throw new Error(`the wallet order ${wallet.id} has no capture`)
  const amount = fromAmount(capture.amount)
  const fee = capture.seller_receivable_breakdown?.paypal_fee
  const now = tools.clock.now()

  const recorded = await transaction(tools, async (tx) => {
    const [order, authorizations, captures, endBefore, items, restocked] = await Promise.all([
      lockOrder(tx, orderId),
      // A wallet order with intent CAPTURE has no authorization.
      claimed.intent === 'AUTHORIZE' ? findAuthorizations(tx, orderId) : [],
      findCaptures(tx, orderId),
      findLedgerEnd(tx, orderId),
      findOrderItems(tx, orderId),
      findRestocked(tx, orderId),
    ])
    if (!order) throw new Error(`the order ${orderId} does not exist`)
    const judgement = judge(tools, order, claimed, wallet, capture)
    // Money captured from an authorization belongs to it.
    const held = authorizations.find(({ wallet_order_id }) => wallet_order_id === claimed.id)
    const known = captures.find(({ id }) => id === capture.id)
    const settled: PaymentState = judgement.state === 'captured' ? 'paid' : judgement.state
    if (known?.status === capture.status && order.payment_state === settled) {
      await closeAttempt(tx, attempt.id, { state: 'succeeded', result: { capture: capture.id }, at: now })
      return { order, outcome: judgement.state, news: false }
    }
    // The process that took over the attempt has recorded it, from a later read.
    if (known && !(await ownsAttempt(tx, attempt))) return { order, outcome: outcomeOf(order), news: false }

    const row = {
      id: capture.id,
      order_id: orderId,
      wallet_order_id: claimed.id,
      status: capture.status,
      amount: amount?.minor ?? 0,
      currency: capture.amount.currency_code,
      environment: tools.paymentEnvironment,
      fee: (fee && fromAmount(fee)?.minor) ?? null,
      captured_at: now,
      authorization_id: held?.id ?? null,
    }
    const refused = judgement.state === 'failed'
    const result = { capture: capture.id, status: capture.status }
    const data = { ...result, amount: amount?.minor ?? null, currency: capture.amount.currency_code }
    const [ledgerEnd] = await Promise.all([
      appendToLedger(tx, orderId, now, [{ kind: 'capture-recorded', data }], sha256, endBefore),
      insertCapture(tx, row),
      // After a declined capture the authorization is unchanged.
      held && !refused ? setAuthorizationStatus(tx, held.id, authorizationStatusAfterCapture(held, capture)) : null,
      setWalletState(tx, claimed.id, { state: wallet.status }),
      closeAttempt(tx, attempt.id, { state: refused ? 'refused' : 'succeeded', result, at: now }),
    ])
    const { outcome, order: after } = await settle(tools, tx, order, { items, restocked, ledgerEnd }, judgement.state, {
      captureId: capture.id,
      row: claimed,
      means: walletPaymentTitle(wallet),
      mismatch: judgement.state === 'attention' ? `the provider's ${judgement.mismatch} differs` : null,
    })
    if (outcome === 'captured') {
      await saveMethodFromOrder(tools, tx, { ...order, payment_method: claimed.method }, wallet)
    }
    tools.checkpoint('S12 before commit')
    return { order: after ?? (await lockOrder(tx, orderId)) ?? order, outcome, news: true }
  })
  tools.checkpoint('S13 after commit')
  if (recorded.news) {
    tools.log.info({ orderId, capture: capture.id, outcome: recorded.outcome }, 'payment recorded')
  }
  return recorded
}

/** Returns the outcome that matches the order's payment state. */
function outcomeOf({ payment_state: state }: OrderRow): Outcome {
  if (state === 'review' || state === 'attention') return state
  return isOver(state) ? 'captured' : 'failed'
}

/** `order`: its current row, where it was read. */
type Settled = { outcome: Outcome; order?: OrderRow }

/** Attention text of an order whose payment was pending when its products sold out. */
const soldOutMeanwhile = 'the money was taken, but a product is sold out'

/** Settles a late capture like an immediate one. The order's row must be locked. */
export async function settleLateCapture(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  known: Known,
  captureId: string,
  wallet: WalletOrder,
): Promise<void> {
  if (order.attention !== soldOutMeanwhile) return
  const facts = { captureId, row: { method: order.payment_method }, means: walletPaymentTitle(wallet), mismatch: null }
  const { outcome } = await settle(tools, tx, order, known, 'captured', facts)
  if (outcome === 'captured') await saveMethodFromOrder(tools, tx, order, wallet)
}

/** Transitions the order to the status of its payment; where the rules forbid it, the order is flagged for review. */
async function settle(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  known: Known,
  wanted: Outcome,
  facts: {
    captureId: string
    row: Pick<WalletOrderRow, 'method'>
    means: ReturnType<typeof walletPaymentTitle>
    mismatch: string | null
  },
): Promise<Settled> {
  const now = tools.clock.now()
  const attention = async (why: string): Promise<Settled> => {
    await updateOrder(tx, order.id, { payment_state: 'attention', attention: why, updated_at: now })
    await addOrderNote(tx, order.id, `Needs attention: ${why} (capture ${facts.captureId}).`, now)
    await appendToLedger(tx, order.id, now, [{ kind: 'needs-attention', data: { why } }], sha256)
    return { outcome: 'attention' }
  }

  if (wanted === 'attention') return attention(facts.mismatch ?? 'the payment does not fit the order')
  if (wanted === 'failed') {
    if (order.payment_state === 'review') {
      await transitionLockedOrder(tools, tx, order, {
        to: 'failed',
        note: 'The provider denied the payment.',
        change: { payment_state: 'failed' },
      })
    } else if (isAllowedPaymentTransition(order.payment_state, 'pending')) {
      await transitionLockedOrder(tools, tx, order, {
        to: order.status,
        note: 'The payment was declined.',
        change: { payment_state: 'pending' },
        event: { kind: 'pending', data: {} },
      })
    }
    return { outcome: 'failed' }
  }

  const paid = wanted === 'captured'
  const status = paid ? paidOrderStatus(known.items) : 'on-hold'
  const state = paid ? 'paid' : 'review'
  if (order.status === 'cancelled') return attention('money was taken for a cancelled order')
  if (!isAllowedPaymentTransition(order.payment_state, state)) {
    return attention(`an order that is ${order.status} and ${order.payment_state} cannot become ${state}`)
  }
  const move: OrderTransition = {
    to: status,
    note: paid
      ? `Paid by ${facts.means.title} (capture ${facts.captureId}).`
      : 'The provider is looking at the payment.',
    change: {
      payment_state: state,
      transaction_id: facts.captureId,
      ...(paid ? { paid_at: now, attention: null } : {}),
    },
    event: { kind: state, data: {} },
    moneyIsHere: true,
  }
  const moved = await transitionLockedOrder(tools, tx, order, move, known)
  if (moved.ok) {
    const means = paidBy(order, facts.row, facts.means)
    if (means) await updateOrder(tx, order.id, means)
    return { outcome: wanted, order: { ...moved.order, ...means } }
  }
  if (moved.reason === 'sold-out' && paid) {
    return { outcome: (await settleSoldOut(tools, tx, order, move, 'taken')) ? 'captured' : 'attention' }
  }
  if (moved.reason === 'sold-out') return attention(soldOutMeanwhile)
  return attention(`an order that is ${order.status} and ${order.payment_state} cannot become ${state}`)
}
