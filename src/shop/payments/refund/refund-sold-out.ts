import type { Transaction } from 'kysely'
import { lockStock } from '#database/catalog/stock.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { insertMail } from '#database/mail/messages.ts'
import { findOrder, findOrderItems, type OrderRow } from '#database/orders/orders.ts'
import { inMerchantLanguage, itemName, lineFacts, stockNeeds } from '../../orders/order-lines.ts'
import { type OrderTransition, transitionLockedOrder } from '../../orders/transition-order.ts'
import { enqueue, type Jobs } from '../../shared/jobs.ts'
import type { Tools } from '../../shared/tools.ts'
import { refundOrder } from './refund-order.ts'

/** Actions for the money of a sold-out order, with the merchant's attention text while they are in progress. */
const waysBack = {
  taken: {
    why: 'a product was sold out when the money had come: it is given back',
    note: (names: string) => `The payment was captured, but out of stock since: ${names}. The payment is refunded.`,
    job: 'give-back',
  },
  held: {
    why: 'a product was sold out when the money was held: it is let go',
    note: (names: string) =>
      `The payment was authorized, but out of stock since: ${names}. The authorization is voided.`,
    job: 'let-go',
  },
} as const

/** Reports whether a sold-out order waits only for its refund or void. */
export function isSoldOutRefundDue({ status, payment_state, attention }: OrderRow): boolean {
  const { taken, held } = waysBack
  return status === 'cancelled' && payment_state === 'attention' && (attention === taken.why || attention === held.why)
}

/**
 * Settles an order that is paid or authorized although its products are sold out: the setting `soldOutAfterPayment`
 * chooses between a later delivery and a refund. The caller holds the row lock and read the order under it.
 * @param paid the transition that the order would make with its stock
 * @returns whether the order continues
 */
export async function settleSoldOut(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  paid: OrderTransition,
  money: keyof typeof waysBack,
): Promise<boolean> {
  const { why, note, job } = waysBack[money]
  const missing = await missingProducts(tools, tx, order.id)
  const names = missing.map(({ name }) => name).join(', ')
  const moved =
    tools.settings.soldOutAfterPayment === 'back-order'
      ? await transitionLockedOrder(tools, tx, order, {
          ...paid,
          note: `${paid.note} Out of stock, to be delivered later: ${names}. No stock was deducted for this order; its next status transition deducts it.`,
          withoutPieces: true,
        })
      : await transitionLockedOrder(tools, tx, order, {
          to: 'cancelled',
          note: note(names),
          change: {
            payment_state: 'attention',
            attention: why,
            ...(paid.change?.transaction_id ? { transaction_id: paid.change.transaction_id } : {}),
          },
          event: { kind: 'needs-attention', data: { why } },
        })
  if (!moved.ok) throw new Error(`the order ${order.id} cannot be settled: ${moved.reason}`)
  if (tools.settings.soldOutAfterPayment === 'back-order') {
    const mails = missing.map(({ owner }) => ({ kind: 'backorder', about: owner }))
    await insertMail(tx, order.id, mails, 'after-an-end')
    return true
  }
  await enqueue(tx, job, { orderId: order.id }, { key: `${job}-${order.id}` })
  return false
}

/**
 * Refunds such an order once, also on repeats.
 * @throws when the job must be retried; a final refusal of PayPal leaves the order in manual review
 */
export async function refundSoldOutOrder(tools: Tools, { orderId }: Jobs['give-back']): Promise<void> {
  const order = await findOrder(tools.db.kysely, orderId)
  if (!order || !isSoldOutRefundDue(order)) return
  const result = await refundOrder(tools, orderId, {
    key: `sold-out-${orderId}`,
    ask: { kind: 'full' },
    reason: 'Out of stock.',
  })
  if (result.ok || result.reason === 'refused') return
  throw new Error(`order ${orderId} not refunded: ${result.reason} ${result.issue ?? ''}`)
}

type Missing = { owner: number; name: string }

async function missingProducts(tools: Tools, tx: Transaction<Schema>, orderId: number): Promise<Missing[]> {
  const items = await findOrderItems(tx, orderId)
  const needs = stockNeeds(items)
  const levels = await lockStock(tx, [...needs.keys()], orderId, tools.clock.now())
  return items.flatMap((item) => {
    const owner = item.type === 'line_item' ? lineFacts(item).stockOwner : null
    const level = owner === null ? undefined : levels.get(owner)
    if (owner === null || !level || level.backorders !== 'no') return []
    return level.onHand < (needs.get(owner) ?? 0) ? [{ owner, name: itemName(inMerchantLanguage(item)) }] : []
  })
}
