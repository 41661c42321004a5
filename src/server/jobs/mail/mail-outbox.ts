import { AsyncResource } from 'node:async_hooks'
import type { MailRow } from '#database/mail/messages.ts'
import { claimPendingMail, enqueueFailedMail, releaseMail } from '#database/mail/outbox.ts'
import { withoutMailAddresses } from '#database/operations/job-queue.ts'
import type { MailFailure } from './order-mail.ts'
import type { MailApplication } from './send-mail.ts'

/** Number of orders at a time, so that a slow mail server does not delay all others. */
const atOnce = 4
const mostTaken = 16
/** Emails per batch, sent one after the other and closed together: a slow server must not make them look abandoned. */
const mostTogether = 2
/** The shopper's response has priority, and orders placed at the same time form a batch. */
const pauseMs = 25
/** Longest delay of an order's emails while visitors are served … */
const mostYieldedMs = 250
/** … and the interval of checks meanwhile. */
const yieldedMs = 25
/** Well before `maintain` in `#shop` treats the batch as abandoned. */
const freshMs = 3 * 60_000

/** Sends emails about orders as soon as they are enqueued. */
export type MailOutbox = {
  /** Call after emails were enqueued: they are sent a moment later. */
  wake(): void
  /** Sends waiting emails. Resolves when this process has none waiting or in progress. */
  work(): Promise<void>
  /** Finishes emails in progress; releases claimed ones that were not begun. */
  stop(): Promise<void>
}

/**
 * @param isBusy whether this process serves visitors: emails can wait a moment
 * @param send sends at most two emails of one order, and closes their rows. @returns those that could not be sent
 */
export function createMailOutbox(
  { tools }: Pick<MailApplication, 'tools'>,
  send: (rows: readonly MailRow[]) => Promise<readonly MailFailure[]>,
  isBusy: () => boolean = () => false,
): MailOutbox {
  const { db, clock, log } = tools
  const taken: MailRow[][] = []
  const workers = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let taking: Promise<void> | null = null
  let [woken, stopped] = [false, false]

  const take = async () => {
    woken = false
    const rows = await claimPendingMail(db.kysely, clock.now(), mostTaken)
    woken ||= rows.length >= mostTaken
    for (const ofOrder of Map.groupBy(rows, (row) => row.order_id).values()) {
      for (let at = 0; at < ofOrder.length; at += mostTogether) taken.push(ofOrder.slice(at, at + mostTogether))
    }
  }
  const takeOrTell = () =>
    take().catch((error: unknown) => log.warn({ error: String(error) }, 'waiting emails could not be claimed'))
  /** Returns the emails of another order; undefined: none are waiting. */
  const next = async (): Promise<readonly MailRow[] | undefined> => {
    while (taken.length === 0 && (woken || taking) && !stopped) {
      taking ??= takeOrTell().finally(() => {
        taking = null
      })
      await taking
    }
    return stopped ? undefined : taken.shift()
  }
  const isFresh = ({ taken_at: at }: MailRow) => at !== null && clock.now().getTime() - at.getTime() < freshMs
  const sendOrLeave = async (rows: readonly MailRow[]) => {
    const failed = await send(rows).catch((error: unknown) =>
      rows.map(({ message_id: messageId }) => ({ messageId, error })),
    )
    for (const { messageId, error } of failed) {
      log.warn({ task: 'order-mail', error: withoutMailAddresses(String(error)) }, 'email moved to the job queue')
      await enqueueFailedMail(db.kysely, messageId)
    }
  }
  const yieldToVisitors = async () => {
    for (let ms = 0; ms < mostYieldedMs && isBusy() && !stopped; ms += yieldedMs) await clock.sleep(yieldedMs)
  }
  const worker = async () => {
    for (let rows = await next(); rows; rows = await next()) {
      await yieldToVisitors()
      const fresh = rows.filter(isFresh)
      if (fresh.length === 0) continue
      // An email that is neither closed nor queued is found in a few minutes: `enqueueAbandonedMail`.
      await sendOrLeave(fresh).catch((error: unknown) =>
        log.warn({ error: withoutMailAddresses(String(error)) }, 'email could not be moved to the job queue'),
      )
    }
  }
  const begin = () => {
    woken = true
    while (!stopped && workers.size < atOnce) {
      const one = worker().finally(() => workers.delete(one))
      workers.add(one)
    }
  }
  const idle = async () => {
    while (workers.size > 0) await Promise.all(workers)
  }
  return {
    // Detached from the trace of the request that wakes it.
    wake: AsyncResource.bind(() => {
      if (stopped) return
      timer ??= setTimeout(() => {
        timer = undefined
        begin()
      }, pauseMs).unref()
    }),
    async work() {
      begin()
      await idle()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await idle()
      const left = taken.splice(0).flatMap((rows) => rows.map(({ message_id: id }) => id))
      if (left.length > 0) await releaseMail(db.kysely, left)
    },
  }
}
