import { isProviderMethod } from '#contract/payments/constants.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { findWalletOrder } from '#database/payments/wallet-orders.ts'
import type { PaymentSource } from '#paypal/source-body.ts'
import { type AcceptRefusal, acceptOrder } from '../orders/accept-order.ts'
import { finishPayment } from '../payments/operation/finish-payment.ts'
import { approvalSource, immediateSource, payWithSource } from '../payments/operation/pay-with-source.ts'
import type { FinishRefusal, FinishResult } from '../payments/operation/payment-result.ts'
import { saveMethodForOrder } from '../payments/vault/save-method-without-payment.ts'
import { amendWallet, sendWalletAddress } from '../payments/wallet/amend-wallet-order.ts'
import { problemOf, startWallet } from '../payments/wallet/start-wallet.ts'
import type { Tools } from '../shared/tools.ts'
import type { Approval, ApprovedOrder, OrderToPay, PaymentOutcome } from './checkout-stages.ts'

/**
 * Stage 5, pay: a placed order to its payment's outcome. An approved order is captured, also where another request is
 * doing so; otherwise the order's source pays, or the shopper is sent to approve. The checkout form enters with the
 * order of stage 4, order-pay with an order placed before, express and the return from the wallet with an approval. A
 * manual order of the desk is paid on its order-pay page.
 */
export async function payPlacedOrder(tools: Tools, placed: OrderToPay | ApprovedOrder): Promise<PaymentOutcome> {
  const { order } = placed
  if (placed.kind === 'approved') return outcomeOf(await finishPayment(tools, order.id, placed.walletOrderId), order)
  const { source, methodToSave } = placed
  if (methodToSave) {
    const saved = await saveMethodForOrder(tools, order, methodToSave)
    if (saved !== 'kept') return failed(order, saved)
  }
  if (order.total === 0 || !isProviderMethod(placed.method)) {
    const accepted = await acceptOrder(tools, order.id)
    return typeof accepted === 'string' ? failed(order, accepted) : { ok: true, kind: 'done', order: accepted }
  }
  return source ? payByProvider(tools, placed, source) : failed(order, 'unknown-means')
}

async function payByProvider(tools: Tools, placed: OrderToPay, source: PaymentSource): Promise<PaymentOutcome> {
  const { order, input, wish, presentation, approval, preparedWallet } = placed
  const immediate = immediateSource(source, input, wish.approvedId)
  if (immediate) {
    const result = await payWithSource(tools, order.id, immediate, presentation)
    if (result.ok || result.reason !== 'payer-action') return outcomeOf(result, order)
    const { approveUrl, walletOrderId } = result
    return { ok: true, kind: 'approve', order, approveUrl, walletOrderId }
  }
  const captured = approval && (await captureApproval(tools, placed, approval))
  if (captured) return captured
  const toStart = { ...presentation, source: approvalSource(source, wish) }
  const started = await startWallet(tools, order.id, toStart, preparedWallet)
  if (!started.ok) return failed(order, problemOf(started), 'issue' in started ? started.issue : undefined)
  const { approveUrl, walletOrderId } = started
  return { ok: true, kind: 'approve', order, approveUrl, walletOrderId }
}

/** Problems after which an approval may be captured or retried. After others the wallet is asked again. */
const retryableProblems: readonly string[] = ['checking', 'attention', 'unreachable']

/** Captures an approved wallet order. @returns null where the shopper approves another instead */
async function captureApproval(
  tools: Tools,
  { order, presentation, wish }: OrderToPay,
  approval: Approval,
): Promise<PaymentOutcome | null> {
  // Checked by our own row: a wallet order of another visitor or order pays for nothing here.
  if (!approval.isOwn && !(await isOwnWallet(tools, order, approval))) {
    return wish.start ? null : failed(order, 'outdated')
  }
  if (approval.isTotalSeen) await amendWallet(tools, order.id, approval.id)
  if (presentation.shippingPreference === 'SET_PROVIDED_ADDRESS') await sendWalletAddress(tools, order, approval.id)
  const result = await finishPayment(tools, order.id, approval.id)
  if (result.ok) return { ok: true, kind: 'done', order: result.order }
  if (wish.start && ['outdated', 'not-approved', 'payer-step', 'refused'].includes(result.reason)) return null
  return { ...failed(order, result.reason, result.issue), endsApproval: !retryableProblems.includes(result.reason) }
}

/** Reports whether this visitor opened the wallet order for this order. */
async function isOwnWallet(tools: Tools, order: OrderRow, { id, sessionId }: Approval): Promise<boolean> {
  const row = await findWalletOrder(tools.db.kysely, id)
  return row?.order_id === order.id && row.session_id === sessionId
}

function outcomeOf(result: FinishResult, order: OrderRow): PaymentOutcome {
  if (result.ok) return { ok: true, kind: 'done', order: result.order }
  return failed(result.order ?? order, result.reason, result.issue)
}

function failed(order: OrderRow, problem: FinishRefusal | AcceptRefusal, issue?: string) {
  return { ok: false, reason: 'payment', problem, order, ...(issue ? { issue } : {}) } as const
}
