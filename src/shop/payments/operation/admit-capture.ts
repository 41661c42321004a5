import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import { findLedgerEnd } from '#database/orders/ledger.ts'
import { findOrderItems, lockOrder, type OrderRow } from '#database/orders/orders.ts'
import { findAttempts, findCaptures } from '#database/payments/payments.ts'
import { findCurrentWalletOrder, findWalletOrder, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { discontinuedProducts } from '../../orders/discontinued-items.ts'
import { extendReservation } from '../../orders/reserve-order-stock.ts'
import type { Tools } from '../../shared/tools.ts'
import { isAddressSent, openingAttempt } from '../wallet/wallet-snapshot.ts'
import { shopperApprovalRequired, type WalletCapture } from './capture-wallet-order.ts'
import { isOtherEnvironment, isUnsettled, movesMoney } from './payment-attempt.ts'
import type { FinishResult } from './payment-result.ts'
import type { Admission } from './payment-step.ts'

type Complete = () => Promise<FinishResult | null>

/** Origin of a call. `hasProviderCapture`: PayPal already showed a capture. */
export type CaptureOrigin =
  | { readonly by: 'shopper' }
  | { readonly by: 'background'; readonly hasProviderCapture: boolean }

/**
 * Decides under the order's lock whether the order may be captured by this origin.
 * @param complete settles an attempt of another kind first
 */
export async function admitCapture(
  tools: Tools,
  tx: Transaction<Schema>,
  { orderId, walletOrderId, origin }: { orderId: number; walletOrderId: string | undefined; origin: CaptureOrigin },
  complete: { readonly payment: Complete; readonly authorized: Complete },
): Promise<Admission<WalletCapture, FinishResult>> {
  const ended = (result: FinishResult) => ({ kind: 'ended' as const, result })
  const [order, allAttempts, current, captured, gone, items, ledgerEnd] = await Promise.all([
    lockOrder(tx, orderId),
    findAttempts(tx, orderId),
    findCurrentWalletOrder(tx, orderId),
    findCaptures(tx, orderId),
    discontinuedProducts(tx, orderId),
    findOrderItems(tx, orderId),
    findLedgerEnd(tx, orderId),
  ])
  if (!order) return ended({ ok: false, reason: 'unknown-order', order: null })
  if (isPaid(order.payment_state)) return ended({ ok: true, state: 'paid', order })
  if (order.payment_state === 'attention') return ended({ ok: false, reason: 'attention', order })

  const attempts = allAttempts.filter(movesMoney)
  const last = attempts.at(-1)
  const unsettled = last !== undefined && isUnsettled(last)
  if (unsettled && last.step === 'pay') return { kind: 'elsewhere', complete: complete.payment }
  if (order.payment_state === 'authorised') {
    return unsettled ? { kind: 'elsewhere', complete: complete.authorized } : ended({ ok: true, state: 'held', order })
  }
  const inReview = order.payment_state === 'review'
  // An unsettled capture is completed first, with its own wallet order: a newer one may exist.
  const unsettledWalletId = unsettled || inReview ? (last?.wallet_order_id ?? null) : null
  const wallet = unsettledWalletId ? await findWalletOrder(tx, unsettledWalletId) : current
  if (!wallet) return ended({ ok: false, reason: 'unknown-order', order })

  if (unsettledWalletId && isOtherEnvironment(tools, wallet)) return ended({ ok: false, reason: 'checking', order })

  const mayTake = unsettledWalletId !== null || origin.by === 'shopper' || canCaptureInBackground(order, wallet)
  if (!mayTake && !(origin.by === 'background' && origin.hasProviderCapture)) {
    return ended({ ok: false, reason: 'not-approved', order, issue: shopperApprovalRequired })
  }
  if (unsettledWalletId) {
    // The stock stays reserved while the call takes; where that fails, the captured amount decides.
    await extendReservation(tools, tx, order, items)
  } else {
    if (walletOrderId && walletOrderId !== wallet.id) return ended({ ok: false, reason: 'outdated', order })
    if (order.status !== 'pending' && order.status !== 'failed') {
      return ended({ ok: false, reason: 'cancelled', order })
    }
    // The only capture of this wallet order was declined: no webhook starts another.
    const captures = captured.filter(({ wallet_order_id: id }) => id === wallet.id)
    if (captures.length > 0 && captures.every(({ status }) => status === 'DECLINED' || status === 'FAILED')) {
      return ended({ ok: false, reason: 'declined', order, issue: 'CAPTURE_DECLINED' })
    }
    const sameMoney = wallet.amount === order.total && wallet.currency === order.currency
    if (!sameMoney || wallet.environment !== tools.paymentEnvironment) {
      return ended({ ok: false, reason: 'outdated', order })
    }
    if (gone.length > 0) return ended({ ok: false, reason: 'stock', order })
    if (!(await extendReservation(tools, tx, order, items))) return ended({ ok: false, reason: 'stock', order })
  }

  const step = wallet.intent === 'AUTHORIZE' ? ('authorise' as const) : ('capture' as const)
  return {
    kind: 'admitted',
    order,
    call: { step, walletOrderId: wallet.id, amount: order.total, body: wallet.id },
    // A settled attempt of an unpaid order: PayPal still reviews the payment, and it is read again.
    lease: { latestOf: attempts },
    work: (lease) => ({
      ...lease,
      wallet,
      mayTake,
      isAddressSent: () => isAddressSent(openingAttempt(allAttempts, wallet.id), order),
    }),
    start: () => ({
      change: { payment_state: 'authorising' },
      event: {
        kind: 'capture-started',
        data: { walletOrder: wallet.id, amount: order.total, currency: order.currency },
      },
    }),
    ledgerEnd,
    busy: { ok: false, reason: 'checking', order },
  }
}

/** Reports whether an approval may be captured without the shopper: no decline was shown and no other method chosen. */
function canCaptureInBackground(order: OrderRow, wallet: WalletOrderRow): boolean {
  return !wallet.told_no && wallet.method === order.payment_method && order.status === 'pending'
}
