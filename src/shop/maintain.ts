import { refreshPrices } from '#database/catalog/derived-columns.ts'
import { transaction } from '#database/connect.ts'
import { deleteExpiredKeys } from '#database/idempotency.ts'
import { releaseDeadJobs } from '#database/job-queue.ts'
import { findAbandonedOrders, findOrder, lockOrder } from '#database/orders.ts'
import { closeAttempt, findOrdersToReconcile, findOrphanedAttempts } from '#database/payments.ts'
import { deleteExpiredSessions } from '#database/sessions.ts'
import { finishPayment } from './finish-payment.ts'
import { handleWaitingWebhooks } from './handle-webhook.ts'
import { giveUp } from './place-order.ts'
import type { Tools } from './tools.ts'

const minuteMs = 60_000

/** Picks up every call to the provider that a process left open when it died. @returns how many orders were looked at */
export async function resumeAttempts(tools: Tools): Promise<number> {
  const olderThan = new Date(tools.clock.now().getTime() - minuteMs / 2)
  const orphans = await findOrphanedAttempts(tools.db.kysely, olderThan, 100)
  for (const attempt of orphans) {
    await attend(tools, attempt.order_id, async () => {
      if (attempt.step === 'capture') return void (await finishPayment(tools, attempt.order_id))
      // A wallet order that was opened moves no money until it is approved. The shopper's next press takes it up again,
      // with the same request id; when the order is over, nobody will.
      const order = await findOrder(tools.db.kysely, attempt.order_id)
      if (order?.status === 'pending') return
      const close = { state: 'refused', result: { issue: 'ABANDONED' }, at: tools.clock.now() } as const
      await closeAttempt(tools.db.kysely, attempt.id, close)
    })
  }
  return new Set(orphans.map(({ order_id }) => order_id)).size
}

/**
 * Asks the provider about orders whose money is under way, at about 1, 5, 15 and 60 minutes and then hourly, so that no
 * payment depends on a notification or on the shopper's return.
 */
export async function reconcile(tools: Tools): Promise<number> {
  const now = tools.clock.now().getTime()
  const since = new Date(now - 3 * 24 * 60 * minuteMs)
  const orders = await findOrdersToReconcile(tools.db.kysely, since, new Date(now - minuteMs), 5_000)
  const due = orders.filter(({ started }) => isDue(Math.floor((now - started.getTime()) / minuteMs)))
  for (const { id } of due) await attend(tools, id, () => finishPayment(tools, id))
  return due.length
}

function isDue(minutes: number): boolean {
  return minutes === 1 || minutes === 5 || minutes === 15 || (minutes >= 60 && minutes % 60 === 0)
}

/** Ends unpaid orders that hold nothing any more. */
export async function cancelAbandoned(tools: Tools): Promise<number> {
  const now = tools.clock.now()
  const before = new Date(now.getTime() - tools.settings.holdStockMinutes * minuteMs)
  const orders = await findAbandonedOrders(tools.db.kysely, now, before, 200)
  for (const { id } of orders) {
    await transaction(tools, async (tx) => {
      const order = await lockOrder(tx, id)
      // Meanwhile the shopper may have come back to it.
      if (order?.status === 'pending' && order.updated_at < before)
        await giveUp(tx, order, now, 'Unpaid when its time was over.')
    })
  }
  return orders.length
}

/** What runs every minute. Each part is tried whatever became of the others. */
export async function maintain(tools: Tools): Promise<void> {
  const parts = { resumeAttempts, reconcile, handleWaitingWebhooks, cancelAbandoned, release, refresh, clear }
  for (const [name, part] of Object.entries(parts)) {
    await part(tools).catch((error: unknown) =>
      tools.log.error({ part: name, error: String(error) }, 'a minute job failed'),
    )
  }
}

/** No job takes longer, mail servers that let it wait included. */
const longestJobMs = 5 * minuteMs

const release = (tools: Tools) => releaseDeadJobs(tools.db, new Date(tools.clock.now().getTime() - longestJobMs))
const refresh = (tools: Tools) => refreshPrices(tools.db, tools.clock.now())
const clear = async (tools: Tools) => {
  const now = tools.clock.now()
  await deleteExpiredSessions(tools.db, now)
  await deleteExpiredKeys(tools.db, now)
}

async function attend(tools: Tools, orderId: number, work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    tools.log.error({ orderId, error: String(error) }, 'an order could not be attended to')
  })
}
