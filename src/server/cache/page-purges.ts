import type { Environment } from '#contract/shared/environment.ts'
import { countChanges } from '#database/engine/change-counts.ts'
import type { Database } from '#database/engine/connect.ts'
import { type PageMaker, recordBuild } from '#database/operations/page-builds.ts'
import {
  type ChangeCounts,
  type PurgeMark,
  readPurgeState,
  withPurgeLock,
  writePurgeMarks,
} from '#database/operations/page-purges.ts'
import { exchange } from '#paypal/exchange.ts'
import { retryAfterMs } from '#paypal/retry-after.ts'
import { type ShownCatalog, tagsBetween } from './changed-tags.ts'
import { countPurge } from './purge-metrics.ts'
import { type PurgeCall, type PurgeSettings, purgeCalls } from './purge-requests.ts'

/**
 * Every process shows a change within this time. A CDN purged earlier could fetch from a process that does not show it
 * yet.
 */
export const settleMs = 1_000
/** Longest wait for this process's own pages to show a change that another process announced. */
const catchUpMs = 30_000
const pollMs = 50
const timeoutMs = 10_000
/** Delay between retries of a failed purge: doubles from the first value to the second. */
const firstWaitMs = 2_000
const longestWaitMs = 120_000
/** A CDN that was unreachable for longer is purged completely. */
const partialPurgeMs = 120_000
/** Delay before the next try after a database error, or while another process holds the purge lock. */
const retryMs = 5_000
/** Catalog changes that this process remembers. A CDN that lags further behind is purged completely. */
const maxRemembered = 100

export type PagePurges = {
  /** Reports that this process's pages show a change. @param catalog the catalog change, if it is one */
  shown(catalog?: ShownCatalog): void
  /** Records a change that no transaction has announced. */
  changed(kind: 'content'): Promise<void>
  /** Purges the CDNs that lag behind. Resolves when that is done or has to wait; never rejects. */
  work(): Promise<void>
  /** Records this build of the shop, and purges CDNs if another build has stopped serving pages. Never rejects. */
  everyMinute(): Promise<void>
  /** Aborts purges in progress: another process, or the next start, repeats them. */
  stop(): Promise<void>
}

type Tools = Pick<Environment, 'clock' | 'network' | 'log'> & { readonly db: Database }

/**
 * Purges pages from CDNs. The database counts each change in the transaction that makes it, and stores the counts that
 * each CDN was purged up to. The difference is the work left, also after a crash of the process that began it. Every
 * process receives changes, and the process with the lock sends the calls; simultaneous changes are purged together.
 */
export function createPagePurges(
  { db, clock, network, log }: Tools,
  settings: PurgeSettings,
  maker: PageMaker,
): PagePurges {
  const stopping = new AbortController()
  const { signal } = stopping
  let shownCatalog: readonly ShownCatalog[] = []
  let shownVersion = -1
  let wanted = false
  let working: Promise<void> | null = null
  let wakesAt = Number.POSITIVE_INFINITY

  const work = (): Promise<void> => {
    wanted = true
    working ??= round().finally(() => {
      working = null
      // Requested after the loop checked last.
      if (wanted && !signal.aborted) void work()
    })
    return working
  }

  async function round(): Promise<void> {
    while (wanted && !signal.aborted) {
      wanted = false
      try {
        // If the lock holder crashes, this process takes over.
        if (!(await withPurgeLock(db, purgeAll))) wakeAt(clock.now().getTime() + retryMs)
      } catch (error) {
        if (!signal.aborted) log.warn({ error: String(error) }, 'CDN purge state could not be read')
        wakeAt(clock.now().getTime() + retryMs)
      }
    }
  }

  function wakeAt(moment: number): void {
    if (moment >= wakesAt) return
    wakesAt = moment
    const wake = () => {
      if (signal.aborted || wakesAt !== moment) return
      wakesAt = Number.POSITIVE_INFINITY
      void work()
    }
    void clock.sleep(Math.max(0, moment - clock.now().getTime()), signal).then(wake)
  }

  /** Runs while this process holds the lock. */
  async function purgeAll(): Promise<void> {
    const { changes, marks } = await readPurgeState(db)
    const now = clock.now()
    const known = new Map(settings.addresses.map((address) => [address, marks.get(address) ?? unpurged]))
    const behind = [...known].filter(([, mark]) => !isCurrent(mark, changes))
    for (const [, { nextAt }] of behind) if (nextAt && nextAt > now) wakeAt(nextAt.getTime())
    const due = behind.filter(([, { nextAt }]) => !nextAt || nextAt <= now)
    if (due.length === 0) return
    for (const [address, mark] of due) known.set(address, { ...mark, since: mark.since ?? now })
    await writePurgeMarks(db.kysely, known)
    await waitForOtherProcesses(due.some(([, { catalog }]) => catalog !== changes.catalog) ? changes.catalog : -1)
    if (signal.aborted) return
    const told = await Promise.all(
      due.map(async ([address]) => [address, await tell(address, known.get(address) ?? unpurged, changes)] as const),
    )
    if (signal.aborted) return
    for (const [address, mark] of told) known.set(address, mark)
    await writePurgeMarks(db.kysely, known)
    const least = Math.min(...[...known.values()].map(({ catalog }) => catalog))
    shownCatalog = shownCatalog.filter(({ version }) => version > least)
    for (const { nextAt } of known.values()) if (nextAt) wakeAt(nextAt.getTime())
  }

  /** Waits until other processes show the change, too: one second, or as long as this process needed for it. */
  async function waitForOtherProcesses(version: number): Promise<void> {
    const until = clock.now().getTime() + catchUpMs
    while (shownVersion < version && clock.now().getTime() < until) {
      await clock.sleep(pollMs, signal)
      if (signal.aborted) return
    }
    await clock.sleep(Math.max(settleMs, ...shownCatalog.map(({ tookMs }) => tookMs)), signal)
  }

  async function tell(address: string, mark: PurgeMark, changes: ChangeCounts): Promise<PurgeMark> {
    const began = clock.now()
    const isLate = mark.tries > 0 && mark.since !== null && began.getTime() - mark.since.getTime() >= partialPurgeMs
    const tags = isLate ? null : tagsBetween(mark, changes, shownCatalog)
    const { calls, all } = purgeCalls(settings, address, tags)
    const cache = new URL(address).host
    for (const call of calls) {
      const trouble = await send(call)
      if (trouble === null) continue
      const waitMs = Math.min(longestWaitMs, Math.max(firstWaitMs * 2 ** mark.tries, trouble.retryAfterMs))
      // The call was aborted because this process stops.
      if (signal.aborted) return mark
      countPurge('failed')
      const facts = { cache, reason: trouble.reason, tries: mark.tries + 1, waitMs }
      log.warn(facts, 'CDN purge failed')
      return { ...mark, tries: mark.tries + 1, nextAt: new Date(clock.now().getTime() + waitMs) }
    }
    countPurge(all ? 'all' : 'some')
    log.info({ cache, tags: all ? 'all' : (tags?.length ?? 0) }, 'CDN purged')
    return { ...changes, since: null, tries: 0, nextAt: null }
  }

  /** @returns null on success */
  async function send({ url, ...init }: PurgeCall): Promise<{ reason: string; retryAfterMs: number } | null> {
    const answered = new AbortController()
    // One promise per call: `Promise.race` against a shared promise would leak its reactions until the process stops.
    const broken = new Promise<{ kind: 'lost'; reason: string }>((resolve) => {
      const lost = () => resolve({ kind: 'lost', reason: 'stopped' })
      signal.addEventListener('abort', lost, { once: true, signal: answered.signal })
      if (signal.aborted) lost()
    })
    const answer = await Promise.race([exchange({ clock, network }, url, init, timeoutMs), broken])
    answered.abort()
    if (answer.kind !== 'answer') return { reason: answer.reason, retryAfterMs: 0 }
    const { status, body } = answer
    if (status >= 200 && status < 300 && !isFailure(body)) return null
    return { reason: `HTTP ${status}`, retryAfterMs: retryAfterMs(answer.headers, clock.now()) ?? 0 }
  }

  return {
    shown(catalog) {
      if (catalog) {
        shownCatalog = [...shownCatalog, catalog].slice(-maxRemembered)
        shownVersion = Math.max(shownVersion, catalog.version)
      }
      void work()
    },
    async changed(kind) {
      // On failure the CDN keeps a page until it expires.
      const failed = (error: unknown) => log.warn({ error: String(error) }, 'a content change could not be recorded')
      await countChanges(db.kysely, [kind]).then(work, failed)
    },
    work,
    async everyMinute() {
      const failed = (error: unknown) => log.warn({ error: String(error) }, 'this build could not be recorded')
      await recordBuild(db, maker).catch(failed)
      await work()
    },
    async stop() {
      stopping.abort()
      await working
    },
  }
}

const unpurged: PurgeMark = { catalog: -1, counts: {}, since: null, tries: 0, nextAt: null }

const isCurrent = (mark: PurgeMark, { catalog, counts }: ChangeCounts): boolean =>
  mark.catalog === catalog && Object.entries(counts).every(([kind, count]) => mark.counts[kind] === count)

/** Cloudflare reports a failure by `success: false`. */
const isFailure = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'success' in body && body.success === false
