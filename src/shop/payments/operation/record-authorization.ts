import type { WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { findOrder, lockOrder, type OrderRow } from '#database/orders/orders.ts'
import {
  type AttemptRow,
  closeAttempt,
  findAuthorizations,
  insertAuthorization,
  ownsAttempt,
} from '#database/payments/payments.ts'
import { setWalletState, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { fromAmount } from '#paypal/amounts.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { isSoldOutRefundDue } from '../refund/refund-sold-out.ts'
import { saveMethodFromOrder } from '../vault/save-method-from-order.ts'
import { authorizationIn, judge, walletPaymentTitle } from '../wallet/read-wallet-order.ts'
import { type MoneyOutcome, settleOrder } from './settle-order.ts'

/** Lifetime of an authorization whose expiry PayPal does not report. */
const defaultLifetimeMs = 29 * 24 * 60 * 60 * 1000

/**
 * Records an authorization of an order with all effects in one transaction: stock is reduced, and the order waits for
 * the merchant's capture. Idempotent.
 */
export async function recordAuthorization(
  tools: Tools,
  { order: { id: orderId }, wallet: row, attempt }: { order: OrderRow; wallet: WalletOrderRow; attempt: AttemptRow },
  wallet: WalletOrder,
): Promise<{ order: OrderRow; outcome: MoneyOutcome }> {
  const held = authorizationIn(wallet)
  if (!held) throw new Error(`the wallet order ${wallet.id} has no authorization`)
  const amount = fromAmount(held.amount)
  const now = tools.clock.now()
  const outcome = await transaction(tools, async (tx): Promise<MoneyOutcome> => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Error(`the order ${orderId} does not exist`)
    const status = held.status === 'DENIED' || held.status === 'VOIDED' ? 'DECLINED' : held.status
    const judgement = judge(tools, order, row, wallet, {
      ...held,
      status: status === 'DECLINED' || status === 'PENDING' ? status : 'COMPLETED',
    })
    const wanted = judgement.state === 'captured' ? 'held' : judgement.state
    const known = (await findAuthorizations(tx, orderId)).find(({ id }) => id === held.id)
    // The process that took over the attempt has recorded it, from a later read.
    if (known && !(await ownsAttempt(tx, attempt))) return outcomeOf(order)
    const result = { authorization: held.id, status: held.status }
    await closeAttempt(tx, attempt.id, { state: wanted === 'failed' ? 'refused' : 'succeeded', result, at: now })
    const settled = wanted === 'held' ? 'authorised' : wanted
    if (known?.status === held.status && order.payment_state === settled) return wanted
    if (known?.status === held.status && isSoldOutRefundDue(order)) return 'attention'

    await insertAuthorization(tx, {
      id: held.id,
      order_id: orderId,
      wallet_order_id: row.id,
      status: held.status,
      amount: amount?.minor ?? 1,
      currency: held.amount.currency_code,
      environment: tools.paymentEnvironment,
      authorized_at: now,
      expires_at: held.expiration_time ? new Date(held.expiration_time) : new Date(now.getTime() + defaultLifetimeMs),
    })
    await setWalletState(tx, row.id, { state: wallet.status })
    const data = { ...result, amount: amount?.minor ?? null, currency: held.amount.currency_code }
    await appendToLedger(tx, orderId, now, [{ kind: 'authorization-recorded', data }], sha256)
    const mismatch = judgement.state === 'attention' ? `the provider's ${judgement.mismatch} differs` : null
    const money = { kind: 'authorization', id: held.id, row, means: walletPaymentTitle(wallet), mismatch } as const
    const { outcome: after } = await settleOrder(tools, tx, order, wanted, money)
    if (after === 'held') await saveMethodFromOrder(tools, tx, { ...order, payment_method: row.method }, wallet)
    tools.checkpoint('S12 before commit')
    return after
  })
  tools.checkpoint('S13 after commit')
  const order = await findOrder(tools.db.kysely, orderId)
  if (!order) throw new Error(`the order ${orderId} does not exist`)
  tools.log.info({ orderId, authorization: held.id, outcome }, 'authorization recorded')
  return { order, outcome }
}

/** Returns the outcome that matches the order's payment state. */
function outcomeOf({ payment_state: state }: OrderRow): MoneyOutcome {
  if (state === 'review' || state === 'attention') return state
  return state === 'authorised' || isPaid(state) ? 'held' : 'failed'
}
