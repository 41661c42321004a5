import { refreshPrices, refreshStockStatus } from '#database/catalog/derived-columns.ts'
import { updateSalesCounts } from '#database/catalog/total-sales.ts'
import { deleteOldAccess } from '#database/customers/access-log.ts'
import { deleteExpiredSessions } from '#database/customers/sessions.ts'
import { addPartitions } from '#database/engine/partition/partitions.ts'
import { enqueueAbandonedMail } from '#database/mail/outbox.ts'
import { deleteExpiredKeys } from '#database/operations/idempotency-keys.ts'
import { releaseDeadJobs } from '#database/operations/job-queue.ts'
import { deleteOldLimits } from '#database/operations/rate-limits.ts'
import { deleteOldDeliveries } from '#database/operations/webhooks.ts'
import { deleteOldDrafts, findAbandonedOrders, findOrder, lockOrder } from '#database/orders/orders.ts'
import { closeAttempt, findOrphanedAttempts } from '#database/payments/payments.ts'
import { deleteOldSetupTokens } from '#database/payments/vault.ts'
import { findOrdersToReconcile, recordProviderChecks } from '#database/payments/wallet-orders.ts'
import { isReconciliationDue } from '#domain/payments/reconciliation.ts'
import { refreshRates } from '../currency/update-exchange-rates.ts'
import { eraseFinishedOrders } from '../customers/erase-customer.ts'
import { abandonOrder } from '../orders/abandon-order.ts'
import { finishInBackground } from '../payments/operation/finish-payment.ts'
import { movesMoney } from '../payments/operation/payment-attempt.ts'
import { voidAuthorizedPayment } from '../payments/operation/void-authorization.ts'
import { flagExpiredAuthorizations } from '../payments/reconcile/detect-expired-authorizations.ts'
import { settlePendingCaptures } from '../payments/reconcile/settle-pending-captures.ts'
import { settlePendingRefunds } from '../payments/refund/match-provider-refunds.ts'
import { resumeRefund } from '../payments/refund/refund-order.ts'
import { resumeSavingMethods } from '../payments/vault/save-approved-method.ts'
import { retryPendingWebhooks } from '../payments/webhooks/handle-webhook.ts'
import { commitWithCheckpoints } from '../shared/checkpointed-transaction.ts'
import type { Tools } from '../shared/tools.ts'
import { rollUpStatistics } from '../statistics/roll-up-statistics.ts'
import { absorbClockJump } from './absorb-clock-jump.ts'

const minuteMs = 60_000

/**
 * Picks up every call to the provider that a process left open when it died. @returns how many orders were looked at
 */
export async function resumeAttempts(tools: Tools): Promise<number> {
  const olderThan = new Date(tools.clock.now().getTime() - minuteMs / 2)
  const orphans = await findOrphanedAttempts(tools.db.kysely, olderThan, 100)
  for (const attempt of orphans) {
    await attend(tools, attempt.order_id, async () => {
      if (movesMoney(attempt)) return void (await finishInBackground(tools, attempt.order_id))
      if (attempt.step === 'void') return void (await voidAuthorizedPayment(tools, attempt.order_id))
      if (attempt.step === 'refund') return void (await resumeRefund(tools, attempt.order_id, attempt.id))
      // A wallet order moves no money until it is approved. The shopper's next press continues it with the same request
      // id; after the end of the order it is obsolete.
      const order = await findOrder(tools.db.kysely, attempt.order_id)
      if (order?.status === 'pending') return
      const close = { state: 'refused', result: { issue: 'ABANDONED' }, at: tools.clock.now() } as const
      await closeAttempt(tools.db.kysely, attempt.id, close)
    })
  }
  return new Set(orphans.map(({ order_id }) => order_id)).size
}

/**
 * Asks the provider about payments in progress, after about 1, 5, 15 and 60 minutes and then hourly, so that no payment
 * depends on a webhook or the shopper's return.
 */
export async function reconcile(tools: Tools): Promise<number> {
  const now = tools.clock.now()
  const since = new Date(now.getTime() - 3 * 24 * 60 * minuteMs)
  const before = new Date(now.getTime() - minuteMs)
  const orders = await findOrdersToReconcile(tools.db.kysely, since, before, 5_000)
  const due = orders.filter(({ started, checked }) => isReconciliationDue(started, checked, now)).map(({ id }) => id)
  await recordProviderChecks(tools.db.kysely, due, now)
  for (const id of due) await attend(tools, id, () => finishInBackground(tools, id))
  return due.length
}

/** Cancels unpaid orders without reservations. */
export async function cancelAbandoned(tools: Tools): Promise<number> {
  const now = tools.clock.now()
  const before = new Date(now.getTime() - tools.settings.holdStockMinutes * minuteMs)
  const orders = await findAbandonedOrders(tools.db.kysely, now, before, 200)
  for (const { id } of orders) {
    await commitWithCheckpoints(tools, 'abandoned order', async (tx) => {
      const order = await lockOrder(tx, id)
      // The shopper may have returned to it meanwhile.
      if (order?.status === 'pending' && order.updated_at < before)
        await abandonOrder(tools, tx, order, 'Unpaid when its time was over.')
    })
  }
  return orders.length
}

/** Runs the scheduled tasks of every minute. A failed part does not prevent the others. */
export async function maintain(tools: Tools): Promise<void> {
  const parts = {
    // Before anything expires.
    absorbClockJump,
    // A sale begins in its minute: later parts may wait for a provider that does not answer.
    refresh,
    recount,
    resumeAttempts,
    reconcile,
    retryPendingWebhooks,
    settlePendingRefunds,
    settlePendingCaptures,
    resumeSavingMethods,
    flagExpiredAuthorizations,
    cancelAbandoned,
    release,
    rank,
    clear,
    eraseFinishedOrders,
    rollUpStatistics,
    makeRoom,
    // Last, because it may wait for an external service.
    refreshRates,
  }
  for (const [name, part] of Object.entries(parts)) {
    await part(tools).catch((error: unknown) =>
      tools.log.error({ part: name, error: String(error) }, 'scheduled task failed'),
    )
  }
}

/** Longest duration of a job, slow mail servers included. */
const longestJobMs = 5 * minuteMs

const release = async ({ db, clock }: Tools) => {
  await releaseDeadJobs(db, longestJobMs)
  await enqueueAbandonedMail(db, new Date(clock.now().getTime() - longestJobMs))
}
const makeRoom = ({ db, clock }: Tools) => addPartitions(db, clock.now())
const refresh = (tools: Tools) => refreshPrices(tools.db, tools.clock.now())
const recount = (tools: Tools) => refreshStockStatus(tools.db)
/** Every quarter of an hour: bestsellers change slowly, and each count invalidates cached listings. */
const rank = async ({ clock, db }: Tools) => {
  if (clock.now().getUTCMinutes() % 15 === 0) await updateSalesCounts(db)
}
/** As docs/security/data.md states. */
const webhookLogDays = 30
/** Drafts of orders contain addresses, and belong to a checkout that was left. */
const draftDays = 1

const clear = async (tools: Tools) => {
  const now = tools.clock.now()
  await deleteExpiredSessions(tools.db, now)
  await deleteExpiredKeys(tools.db, now)
  await deleteOldLimits(tools.db, now)
  await deleteOldDrafts(tools.db.kysely, new Date(now.getTime() - draftDays * 24 * 60 * minuteMs))
  const { accessLogDays } = tools.settings.staff
  await deleteOldAccess(tools.db.kysely, new Date(now.getTime() - accessLogDays * 24 * 60 * minuteMs), 1000)
  await deleteOldDeliveries(tools.db.kysely, new Date(now.getTime() - webhookLogDays * 24 * 60 * minuteMs), 1000)
  // The provider deletes a setup token after three days.
  await deleteOldSetupTokens(tools.db.kysely, new Date(now.getTime() - 3 * 24 * 60 * minuteMs))
}

async function attend(tools: Tools, orderId: number, work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    tools.log.error({ orderId, error: String(error) }, 'maintenance of an order failed')
  })
}
