import { type OrderStatus, takesStock } from '../orders/order-status.ts'
import type { PaymentState } from './payment-state.ts'

/** Capture of an order. */
export type CaptureSummary = {
  /** PayPal's status, or `REVERSED`: PayPal withdrew the money without a refund. */
  readonly status: string
  readonly amount: number
  readonly currency: string
  /** It is not the order's expected capture. */
  readonly stray: boolean
}
export type DisputeSummary = { readonly status: string; readonly outcome: string | null }

/** Reports whether any of the captured money is left. */
export function isHere({ status }: Pick<CaptureSummary, 'status'>): boolean {
  return status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED'
}

/** Reports whether the capture succeeded, refunded or not. */
export function isTaken({ status }: Pick<CaptureSummary, 'status'>): boolean {
  return isHere({ status }) || status === 'REFUNDED'
}

/** Reports whether the capture failed. */
export function isDenied({ status }: Pick<CaptureSummary, 'status'>): boolean {
  return status === 'DECLINED' || status === 'FAILED'
}

export function isOpen({ status }: DisputeSummary): boolean {
  return status !== 'RESOLVED'
}

/** Finds a second payment that is not refunded. */
export function duplicateCapture<Known extends CaptureSummary>(captures: readonly Known[]): Known | undefined {
  return captures.find((capture) => capture.stray && (isHere(capture) || capture.status === 'PENDING'))
}

/** Dispute outcomes in the merchant's favour, or withdrawn by the customer. */
const wonOutcomes: ReadonlySet<string | null> = new Set([
  'RESOLVED_SELLER_FAVOUR',
  'RESOLVED_WITH_PAYOUT',
  'CANCELED_BY_BUYER',
])

/**
 * Reports whether an order's money has an open question that a transition does not settle: an open dispute, an
 * unrefunded second payment, or reversed money. A won dispute settles a reversal, in either order of the webhooks.
 */
export function isUndecided(captures: readonly CaptureSummary[], disputes: readonly DisputeSummary[]): boolean {
  if (disputes.some(isOpen) || duplicateCapture(captures)) return true
  return captures.some(({ status, stray }) => status === 'REVERSED' && !stray) && !disputes.some(isWon)
}

function isWon(dispute: DisputeSummary): boolean {
  return !isOpen(dispute) && wonOutcomes.has(dispute.outcome)
}

/** Finds the capture that pays an order: equal amount and currency, refunded or not. */
export function matchingCapture<Known extends CaptureSummary>(
  order: { total: number; currency: string },
  captures: readonly Known[],
): Known | undefined {
  return captures.find(
    (capture) =>
      !capture.stray &&
      (isTaken(capture) || capture.status === 'REVERSED') &&
      capture.amount === order.total &&
      capture.currency === order.currency,
  )
}

/**
 * Returns the payment state of an order by its records, after a manual review; null where the review must continue.
 * @param back refunded amount of the order
 */
export function paymentStateFromCaptures(
  order: { total: number; currency: string },
  back: number,
  captures: readonly CaptureSummary[],
  disputes: readonly DisputeSummary[],
): Extract<PaymentState, 'paid' | 'partly-refunded' | 'refunded' | 'disputed'> | null {
  const money = matchingCapture(order, captures)
  const others = captures.some((capture) => capture !== money && !capture.stray && !isDenied(capture))
  if (!money || others || duplicateCapture(captures) || money.status === 'REVERSED') return null
  if (back >= order.total) return 'refunded'
  if (disputes.some(isOpen)) return 'disputed'
  return back > 0 ? 'partly-refunded' : 'paid'
}

/** Returns the payment state of an order without any capture. */
export function paymentStateWithoutCapture(
  order: { total: number; status: OrderStatus },
  back: number,
  { paidByHand }: { paidByHand: boolean },
): Extract<PaymentState, 'none' | 'paid' | 'partly-refunded' | 'refunded' | 'failed'> {
  if (paidByHand) return back >= order.total ? 'refunded' : back > 0 ? 'partly-refunded' : 'paid'
  return takesStock(order.status) ? 'none' : 'failed'
}
