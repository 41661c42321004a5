import type { Transaction } from 'kysely'
import type { ActionTopic } from '#contract/operations/webhook-topics.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { announceChanges, type Change } from '#database/operations/announce-change.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'

/** Announces an order's new status to webhooks of single hooks; `updateOrder` announces the update itself. */
export function announceStatus(
  tx: Transaction<Schema>,
  { id, from, to, newlyPaid }: { id: number; from: OrderStatus; to: OrderStatus; newlyPaid: boolean },
): Promise<void> {
  const topics = [...(from === to ? [] : statusTopics(to)), ...(newlyPaid ? [paidTopic] : [])]
  return announceChanges(
    tx,
    topics.map((topic) => ({ topic, ids: [id] })),
  )
}

/** Announces orders that were inserted with their first status. */
export function announceNewOrders(
  tx: Transaction<Schema>,
  orders: readonly { readonly id: number; readonly status: OrderStatus; readonly paid: boolean }[],
): Promise<void> {
  const changes = orders.flatMap(({ id, status, paid }): Change[] =>
    ['order.created' as const, ...statusTopics(status), ...(paid ? [paidTopic] : [])].map((topic) => ({
      topic,
      ids: [id],
    })),
  )
  return announceChanges(tx, changes)
}

const paidTopic: ActionTopic = 'action.woocommerce_payment_complete'

const statusTopics = (status: OrderStatus): ActionTopic[] => [
  'action.woocommerce_order_status_changed',
  `action.woocommerce_order_status_${status}`,
]
