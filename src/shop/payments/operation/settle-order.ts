import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import { type OrderRow, updateOrder } from '#database/orders/orders.ts'
import type { WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { isAllowedPaymentTransition } from '#domain/payments/payment-state.ts'
import { paidOrderStatus } from '../../orders/order-lines.ts'
import { type Known, type OrderTransition, transitionLockedOrder } from '../../orders/transition-order.ts'
import type { Tools } from '../../shared/tools.ts'
import { settleSoldOut } from '../refund/refund-sold-out.ts'
import { paidBy, type walletPaymentTitle } from '../wallet/read-wallet-order.ts'
import { flagForReview } from './flag-for-review.ts'

/** Meaning of a capture or an authorization for its order. */
export type MoneyOutcome = 'captured' | 'held' | 'review' | 'failed' | 'attention'

/** The capture or authorization that PayPal shows. */
export type Money = {
  readonly kind: 'capture' | 'authorization'
  readonly id: string
  readonly row: Pick<WalletOrderRow, 'method'>
  readonly means: ReturnType<typeof walletPaymentTitle>
  /** Difference to the order; null for none. */
  readonly mismatch: string | null
}

/** Attention texts by kind, as the merchant reads them; `soldOut` while the payment was pending. */
const texts = {
  capture: {
    subject: 'capture',
    mismatch: 'the payment does not fit the order',
    cancelled: 'money was taken for a cancelled order',
    soldOut: 'the money was taken, but a product is sold out',
  },
  authorization: {
    subject: 'authorisation',
    mismatch: 'the held money does not fit the order',
    cancelled: 'money is held for a cancelled order',
    soldOut: 'the money is held, but a product is sold out',
  },
} as const

/** Attention text of an order whose payment was pending when its products sold out. */
export const soldOutMeanwhile = texts.capture.soldOut

/** `order`: its current row, where it was read. */
export type SettledOrder = { readonly outcome: MoneyOutcome; readonly order?: OrderRow }

/**
 * Transitions an order to the status that its money means. Where the rules forbid it, the order is flagged for review.
 * The order's row must be locked.
 * @param known rows of the order that were read under the lock; a capture needs its items
 */
export async function settleOrder(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  wanted: MoneyOutcome,
  money: Money,
  known: Partial<Known> = {},
): Promise<SettledOrder> {
  const { subject, ...text } = texts[money.kind]
  const attention = async (why: string): Promise<SettledOrder> => {
    await flagForReview(tx, order.id, why, tools.clock.now(), { subject: `${subject} ${money.id}` })
    return { outcome: 'attention' }
  }
  if (wanted === 'attention') return attention(money.mismatch ?? text.mismatch)
  if (wanted === 'failed') {
    await settleFailure(tools, tx, order)
    return { outcome: 'failed' }
  }
  const move = transitionFor(tools, wanted, money, known.items)
  const state = move.change.payment_state
  const forbidden = `an order that is ${order.status} and ${order.payment_state} cannot become ${state}`
  if (order.status === 'cancelled') return attention(text.cancelled)
  if (!isAllowedPaymentTransition(order.payment_state, state)) return attention(forbidden)
  const moved = await transitionLockedOrder(tools, tx, order, move, known)
  if (!moved.ok && moved.reason !== 'sold-out') return attention(forbidden)
  if (!moved.ok) {
    // PayPal may still refuse a payment under review: there may be nothing to give back.
    if (wanted === 'review') return attention(text.soldOut)
    const goesOn = await settleSoldOut(tools, tx, order, move, wanted === 'held' ? 'held' : 'taken')
    if (!goesOn) return { outcome: 'attention' }
  }
  const means = paidBy(order, money.row, money.means)
  if (means) await updateOrder(tx, order.id, means)
  return { outcome: wanted, ...(moved.ok ? { order: { ...moved.order, ...means } } : {}) }
}

/** A declined payment waits for another one; one that PayPal denied after its review has failed. */
async function settleFailure(tools: Tools, tx: Transaction<Schema>, order: OrderRow): Promise<void> {
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
}

function transitionFor(
  tools: Tools,
  wanted: 'captured' | 'held' | 'review',
  { id, means }: Money,
  items: Known['items'] = [],
) {
  const of = {
    captured: { state: 'paid', to: paidOrderStatus(items), note: `Paid by ${means.title} (capture ${id}).` },
    held: {
      state: 'authorised',
      to: 'on-hold',
      note: `${means.title}: the money is held (authorisation ${id}). It is taken when you move the order on.`,
    },
    review: { state: 'review', to: 'on-hold', note: 'The provider is looking at the payment.' },
  } as const
  const { state, to, note } = of[wanted]
  const paid = wanted === 'captured' ? { paid_at: tools.clock.now(), attention: null } : {}
  return {
    to,
    note,
    change: { payment_state: state, transaction_id: id, ...paid },
    event: { kind: state, data: {} },
    moneyIsHere: true,
  } satisfies OrderTransition
}
