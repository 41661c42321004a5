import { type OrderStatus, takesStock } from '../orders/order-status.ts'
import type { PaymentState } from './payment-state.ts'

/** What is known of money that the provider has taken for an order. */
export type CaptureSummary = {
  /** The provider's word, or `REVERSED`: it took the money back and shows no refund for it. */
  readonly status: string
  readonly amount: number
  readonly currency: string
  /** It came beside what the order counts on. */
  readonly stray: boolean
}
export type DisputeSummary = { readonly status: string; readonly outcome: string | null }

/** Some of it, or all of it, is here. */
export function isHere({ status }: Pick<CaptureSummary, 'status'>): boolean {
  return status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED'
}

/** It came, whatever has gone back of it. */
export function isTaken({ status }: Pick<CaptureSummary, 'status'>): boolean {
  return isHere({ status }) || status === 'REFUNDED'
}

/** It came to nothing. */
export function isDenied({ status }: Pick<CaptureSummary, 'status'>): boolean {
  return status === 'DECLINED' || status === 'FAILED'
}

export function isOpen({ status }: DisputeSummary): boolean {
  return status !== 'RESOLVED'
}

/** A payment beside the order's own that has not been given back. */
export function duplicateCapture<Known extends CaptureSummary>(captures: readonly Known[]): Known | undefined {
  return captures.find((capture) => capture.stray && (isHere(capture) || capture.status === 'PENDING'))
}

/** The customer has taken the complaint back, or the provider has decided that the merchant keeps the money. */
const wonBy: ReadonlySet<string | null> = new Set([
  'RESOLVED_SELLER_FAVOUR',
  'RESOLVED_WITH_PAYOUT',
  'CANCELED_BY_BUYER',
])

/**
 * Whether something stands about an order's money that moving the order on does not settle: an open dispute, a second
 * payment that is still here, or money that the provider took back. The last is over when a dispute was won, whichever of
 * the two was told first.
 */
export function isUndecided(captures: readonly CaptureSummary[], disputes: readonly DisputeSummary[]): boolean {
  if (disputes.some(isOpen) || duplicateCapture(captures)) return true
  return captures.some(({ status, stray }) => status === 'REVERSED' && !stray) && !disputes.some(isWon)
}

function isWon(dispute: DisputeSummary): boolean {
  return !isOpen(dispute) && wonBy.has(dispute.outcome)
}

/** The money that pays an order: of its amount and currency, here or given back since. */
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
 * How the money of an order stands by the books alone, once what has kept it with a person is over; null where a person must
 * say still.
 * @param back what was given back of the order
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

/** How the money of an order stands for which the provider has none. */
export function paymentStateWithoutCapture(
  order: { total: number; status: OrderStatus },
  back: number,
  { paidByHand }: { paidByHand: boolean },
): Extract<PaymentState, 'none' | 'paid' | 'partly-refunded' | 'refunded' | 'failed'> {
  if (paidByHand) return back >= order.total ? 'refunded' : back > 0 ? 'partly-refunded' : 'paid'
  return takesStock(order.status) ? 'none' : 'failed'
}
