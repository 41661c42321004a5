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

/** What is done about the money, and how the merchant reads of it while that is under way. */
const waysBack = {
  taken: {
    why: 'a product was sold out when the money had come: it is given back',
    note: (names: string) => `The money was taken, but sold out since: ${names}. It is given back.`,
    job: 'give-back',
  },
  held: {
    why: 'a product was sold out when the money was held: it is let go',
    note: (names: string) => `The money is held, but sold out since: ${names}. It is let go.`,
    job: 'let-go',
  },
} as const

/** Whether an order waits for nothing but its money to be given back or let go, because its pieces were gone. */
export function isSoldOutRefundDue({ status, payment_state, attention }: OrderRow): boolean {
  const { taken, held } = waysBack
  return status === 'cancelled' && payment_state === 'attention' && (attention === taken.why || attention === held.why)
}

/**
 * What follows when an order's money was taken, or held, and its pieces are not there: the setting `soldOutAfterPayment` says
 * whether they are delivered later, or the money goes back. The order's row is locked, and was read under that lock.
 * @param paid the move that the order would have made with its pieces
 * @returns whether the order goes on
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
          note: `${paid.note} Sold out, to be delivered later: ${names}. No pieces were taken off the shelf for this order; moving it on takes them.`,
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
 * Gives the money of such an order back, once, however often it is asked. @throws when it is to be tried again; what the
 * provider refuses for good stays with a person, for whom the order is marked
 */
export async function giveBack(tools: Tools, { orderId }: Jobs['give-back']): Promise<void> {
  const order = await findOrder(tools.db.kysely, orderId)
  if (!order || !isSoldOutRefundDue(order)) return
  const result = await refundOrder(tools, orderId, {
    key: `sold-out-${orderId}`,
    ask: { kind: 'full' },
    reason: 'Sold out.',
  })
  if (result.ok || result.reason === 'refused') return
  throw new Error(`the money of order ${orderId} is not back: ${result.reason} ${result.issue ?? ''}`)
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
