import type { Transaction } from 'kysely'
import type { WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { addOrderNote, lockOrder, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import {
  type AttemptRow,
  closeAttempt,
  findAuthorizations,
  insertAuthorization,
  ownsAttempt,
} from '#database/payments/payments.ts'
import { setWalletState, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { isAllowedPaymentTransition, isPaid } from '#domain/payments/payment-state.ts'
import { fromAmount } from '#paypal/amounts.ts'
import { type OrderTransition, transitionLockedOrder } from '../../orders/transition-order.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { isSoldOutRefundDue, settleSoldOut } from '../refund/refund-sold-out.ts'
import { saveMethodFromOrder } from '../vault/save-method-from-order.ts'
import { authorizationIn, judge, paidBy, walletPaymentTitle } from '../wallet/read-wallet-order.ts'

type Outcome = 'held' | 'review' | 'failed' | 'attention'

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
): Promise<{ order: OrderRow; outcome: Outcome }> {
  const held = authorizationIn(wallet)
  if (!held) throw new Error(`the wallet order ${wallet.id} has no authorization`)
  const amount = fromAmount(held.amount)
  const now = tools.clock.now()
  const outcome = await transaction(tools, async (tx): Promise<Outcome> => {
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
    const after = await settle(tools, tx, order, wanted, {
      id: held.id,
      row,
      mismatch,
      means: walletPaymentTitle(wallet),
    })
    if (after === 'held') await saveMethodFromOrder(tools, tx, { ...order, payment_method: row.method }, wallet)
    tools.checkpoint('S12 before commit')
    return after
  })
  tools.checkpoint('S13 after commit')
  const order = await tools.db.kysely
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  tools.log.info({ orderId, authorization: held.id, outcome }, 'authorization recorded')
  return { order, outcome }
}

/** Returns the outcome that matches the order's payment state. */
function outcomeOf({ payment_state: state }: OrderRow): Outcome {
  if (state === 'review' || state === 'attention') return state
  return state === 'authorised' || isPaid(state) ? 'held' : 'failed'
}

async function settle(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  wanted: Outcome,
  {
    id,
    row,
    mismatch,
    means,
  }: { id: string; row: WalletOrderRow; mismatch: string | null; means: ReturnType<typeof walletPaymentTitle> },
): Promise<Outcome> {
  const attention = async (why: string): Promise<Outcome> => {
    const now = tools.clock.now()
    await updateOrder(tx, order.id, { payment_state: 'attention', attention: why, updated_at: now })
    await addOrderNote(tx, order.id, `Needs attention: ${why} (authorisation ${id}).`, now)
    await appendToLedger(tx, order.id, now, [{ kind: 'needs-attention', data: { why } }], sha256)
    return 'attention'
  }
  if (wanted === 'attention') return attention(mismatch ?? 'the held money does not fit the order')
  if (wanted === 'failed') {
    const failed = order.payment_state === 'review'
    await transitionLockedOrder(tools, tx, order, {
      to: failed ? 'failed' : order.status,
      note: failed ? 'The provider denied the payment.' : 'The payment was declined.',
      change: { payment_state: failed ? 'failed' : 'pending' },
      event: { kind: failed ? 'failed' : 'pending', data: {} },
    })
    return 'failed'
  }
  const state = wanted === 'held' ? 'authorised' : 'review'
  if (order.status === 'cancelled') return attention('money is held for a cancelled order')
  if (!isAllowedPaymentTransition(order.payment_state, state)) {
    return attention(`an order that is ${order.status} and ${order.payment_state} cannot become ${state}`)
  }
  const move: OrderTransition = {
    to: 'on-hold',
    note:
      wanted === 'held'
        ? `${means.title}: the money is held (authorisation ${id}). It is taken when you move the order on.`
        : 'The provider is looking at the payment.',
    change: { payment_state: state, transaction_id: id },
    event: { kind: state, data: {} },
    moneyIsHere: true,
  }
  const moved = await transitionLockedOrder(tools, tx, order, move)
  if (!moved.ok) {
    if (moved.reason !== 'sold-out') return attention(`it cannot become ${state}`)
    // PayPal may still refuse it: there may be no authorization to void.
    if (wanted === 'review') return attention('the money is held, but a product is sold out')
    if (!(await settleSoldOut(tools, tx, order, move, 'held'))) return 'attention'
  }
  const named = paidBy(order, row, means)
  if (named) await updateOrder(tx, order.id, named)
  return wanted
}
