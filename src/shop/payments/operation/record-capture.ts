import type { Transaction } from 'kysely'
import type { WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger, findLedgerEnd } from '#database/orders/ledger.ts'
import { findOrderItems, lockOrder, type OrderRow } from '#database/orders/orders.ts'
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
import { isOver, type PaymentState } from '#domain/payments/payment-state.ts'
import { fromAmount } from '#paypal/amounts.ts'
import type { Known } from '../../orders/transition-order.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { saveMethodFromOrder } from '../vault/save-method-from-order.ts'
import { captureIn, judge, walletPaymentTitle } from '../wallet/read-wallet-order.ts'
import { authorizationStatusAfterCapture } from './authorization-after-capture.ts'
import { type MoneyOutcome, settleOrder, soldOutMeanwhile } from './settle-order.ts'

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
): Promise<{ order: OrderRow; outcome: MoneyOutcome }> {
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
    const money = {
      kind: 'capture',
      id: capture.id,
      row: claimed,
      means: walletPaymentTitle(wallet),
      mismatch: judgement.state === 'attention' ? `the provider's ${judgement.mismatch} differs` : null,
    } as const
    const rows = { items, restocked, ledgerEnd }
    const { outcome, order: after } = await settleOrder(tools, tx, order, judgement.state, money, rows)
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
function outcomeOf({ payment_state: state }: OrderRow): MoneyOutcome {
  if (state === 'review' || state === 'attention') return state
  return isOver(state) ? 'captured' : 'failed'
}

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
  const money = { kind: 'capture', id: captureId, row: { method: order.payment_method }, mismatch: null } as const
  const means = walletPaymentTitle(wallet)
  const { outcome } = await settleOrder(tools, tx, order, 'captured', { ...money, means }, known)
  if (outcome === 'captured') await saveMethodFromOrder(tools, tx, order, wallet)
}
