import { AsyncResource } from 'node:async_hooks'
import type { MailRow } from '#database/mail/messages.ts'
import { claimPendingMail, enqueueFailedMail, releaseMail } from '#database/mail/outbox.ts'
import { withoutMailAddresses } from '#database/operations/job-queue.ts'
import type { MailFailure } from './order-mail.ts'
import type { MailApplication } from './send-mail.ts'

/** As many orders at once, so that one that a mail server lets wait keeps nothing else. */
const atOnce = 4
const mostTaken = 16
/** Sent one after the other and closed together: a server that is slow must not make them look lost. */
const mostTogether = 2
/** Whoever has just ordered waits for an answer, and orders that come together are taken together. */
const pauseMs = 25
/** So long, and no longer, those of an order wait for visitors who are being served … */
const mostYieldedMs = 250
/** … and are looked after so often meanwhile. */
const yieldedMs = 25
/** Well before others believe that whoever took it has died: `maintain` in `#shop`. */
const freshMs = 3 * 60_000

/** Sends the messages about orders as soon as they are put down. */
export type MailOutbox = {
  /** To be called when messages were put down: they are sent in a moment. */
  wake(): void
  /** Sends what waits. Resolves when nothing waits or is under way here any more. */
  work(): Promise<void>
  /** What is under way is finished; what was taken and not begun is put back. */
  stop(): Promise<void>
}

/**
 * @param isBusy whether visitors wait for what else this process does: a message can be read a moment later
 * @param send sends two messages of one order at most, and closes their rows. @returns those that could not be sent
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
    take().catch((error: unknown) => log.warn({ error: String(error) }, 'waiting messages could not be taken'))
  /** The messages of another order; undefined: none wait. */
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
      log.warn({ task: 'order-mail', error: withoutMailAddresses(String(error)) }, 'a message is left to the queue')
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
      // What is neither closed nor with the queue then is found there in a few minutes: `enqueueAbandonedMail`.
      await sendOrLeave(fresh).catch((error: unknown) =>
        log.warn({ error: withoutMailAddresses(String(error)) }, 'a message could not be left to the queue'),
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
    // Not as a part of what the request that wakes it does.
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
