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
import { retryAfterMs } from '#paypal/access-token.ts'
import { exchange } from '#paypal/exchange.ts'
import { type ShownCatalog, tagsBetween } from './changed-tags.ts'
import { countPurge } from './purge-metrics.ts'
import { type PurgeCall, type PurgeSettings, purgeCalls } from './purge-requests.ts'

/** Every process shows a change within that time; a cache that is told sooner could ask one that does not yet. */
export const settleMs = 1_000
/** Longest wait for this process's own pages to show what others have announced. */
const catchUpMs = 30_000
const lookMs = 50
const timeoutMs = 10_000
/** Between calls of a cache that does not take them: this, then twice as long each time, up to the other. */
const firstWaitMs = 2_000
const longestWaitMs = 120_000
/** A cache that was out of reach for longer has missed who knows what, and lets go of everything. */
const preciseForMs = 120_000
/** Until a database that did not answer is asked again, and until another process must be done that calls caches. */
const troubleMs = 5_000
/** What this process remembers of the catalogue; who has been told less lets go of everything. */
const mostShown = 100

export type PagePurges = {
  /** This process's pages show something new. @param catalog what, if it is the catalogue */
  shown(catalog?: ShownCatalog): void
  /** Something has changed that no transaction has announced. */
  changed(kind: 'content'): Promise<void>
  /** Tells caches what they have not been told yet. Resolves when that is done or has to wait; never fails. */
  work(): Promise<void>
  /** Looks whether another build of the shop has made its last page, too. Never fails. */
  everyMinute(): Promise<void>
  /** What is under way is broken off: another process, or the next start, tells it. */
  stop(): Promise<void>
}

type Tools = Pick<Environment, 'clock' | 'network' | 'log'> & { readonly db: Database }

/**
 * Tells caches in front which pages to let go of. What has changed is counted in the database, in the transaction that changes
 * it, and so is how far each cache has been told: the difference is what is left to do, whoever did the first part and died.
 * Every process hears of changes, and the one that gets the lock calls; what came together goes out together.
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
      // Asked for after the last look.
      if (wanted && !signal.aborted) void work()
    })
    return working
  }

  async function round(): Promise<void> {
    while (wanted && !signal.aborted) {
      wanted = false
      try {
        // Should that process die over it, this one goes on.
        if (!(await withPurgeLock(db, tellAll))) wakeAt(clock.now().getTime() + troubleMs)
      } catch (error) {
        if (!signal.aborted) log.warn({ error: String(error) }, 'what caches in front know could not be looked up')
        wakeAt(clock.now().getTime() + troubleMs)
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

  /** For who holds the lock. */
  async function tellAll(): Promise<void> {
    const { changes, marks } = await readPurgeState(db)
    const now = clock.now()
    const known = new Map(settings.addresses.map((address) => [address, marks.get(address) ?? toldNothing]))
    const behind = [...known].filter(([, mark]) => !knows(mark, changes))
    for (const [, { nextAt }] of behind) if (nextAt && nextAt > now) wakeAt(nextAt.getTime())
    const due = behind.filter(([, { nextAt }]) => !nextAt || nextAt <= now)
    if (due.length === 0) return
    for (const [address, mark] of due) known.set(address, { ...mark, since: mark.since ?? now })
    await writePurgeMarks(db.kysely, known)
    await othersShow(due.some(([, { catalog }]) => catalog !== changes.catalog) ? changes.catalog : -1)
    if (signal.aborted) return
    const told = await Promise.all(
      due.map(async ([address]) => [address, await tell(address, known.get(address) ?? toldNothing, changes)] as const),
    )
    if (signal.aborted) return
    for (const [address, mark] of told) known.set(address, mark)
    await writePurgeMarks(db.kysely, known)
    const least = Math.min(...[...known.values()].map(({ catalog }) => catalog))
    shownCatalog = shownCatalog.filter(({ version }) => version > least)
    for (const { nextAt } of known.values()) if (nextAt) wakeAt(nextAt.getTime())
  }

  /** What is as much work for this process is as much for others: they get a second for it, or as long as it took here. */
  async function othersShow(version: number): Promise<void> {
    const until = clock.now().getTime() + catchUpMs
    while (shownVersion < version && clock.now().getTime() < until) {
      await clock.sleep(lookMs, signal)
      if (signal.aborted) return
    }
    await clock.sleep(Math.max(settleMs, ...shownCatalog.map(({ tookMs }) => tookMs)), signal)
  }

  async function tell(address: string, mark: PurgeMark, changes: ChangeCounts): Promise<PurgeMark> {
    const began = clock.now()
    const isLate = mark.tries > 0 && mark.since !== null && began.getTime() - mark.since.getTime() >= preciseForMs
    const tags = isLate ? null : tagsBetween(mark, changes, shownCatalog)
    const { calls, all } = purgeCalls(settings, address, tags)
    const cache = new URL(address).host
    for (const call of calls) {
      const trouble = await send(call)
      if (trouble === null) continue
      const waitMs = Math.min(longestWaitMs, Math.max(firstWaitMs * 2 ** mark.tries, trouble.retryAfterMs))
      // What broke it off was the end of this process.
      if (signal.aborted) return mark
      countPurge('failed')
      const facts = { cache, reason: trouble.reason, tries: mark.tries + 1, waitMs }
      log.warn(facts, 'a cache in front was not told what has changed')
      return { ...mark, tries: mark.tries + 1, nextAt: new Date(clock.now().getTime() + waitMs) }
    }
    countPurge(all ? 'all' : 'some')
    log.info({ cache, tags: all ? 'all' : (tags?.length ?? 0) }, 'a cache in front was told what has changed')
    return { ...changes, since: null, tries: 0, nextAt: null }
  }

  /** @returns null when the cache has taken it */
  async function send({ url, ...init }: PurgeCall): Promise<{ reason: string; retryAfterMs: number } | null> {
    const answered = new AbortController()
    // Of its own for each call: what is raced against one promise for all stays with it until the process stops.
    const broken = new Promise<{ kind: 'lost'; reason: string }>((resolve) => {
      const lost = () => resolve({ kind: 'lost', reason: 'stopped' })
      signal.addEventListener('abort', lost, { once: true, signal: answered.signal })
      if (signal.aborted) lost()
    })
    const answer = await Promise.race([exchange({ clock, network }, url, init, timeoutMs), broken])
    answered.abort()
    if (answer.kind !== 'answer') return { reason: answer.reason, retryAfterMs: 0 }
    const { status, body } = answer
    if (status >= 200 && status < 300 && !saysNo(body)) return null
    return { reason: `HTTP ${status}`, retryAfterMs: retryAfterMs(answer.headers, clock.now()) ?? 0 }
  }

  return {
    shown(catalog) {
      if (catalog) {
        shownCatalog = [...shownCatalog, catalog].slice(-mostShown)
        shownVersion = Math.max(shownVersion, catalog.version)
      }
      void work()
    },
    async changed(kind) {
      // Then the cache keeps a page for as long as it may.
      const failed = (error: unknown) => log.warn({ error: String(error) }, 'a change could not be noted')
      await countChanges(db.kysely, [kind]).then(work, failed)
    },
    work,
    async everyMinute() {
      const failed = (error: unknown) => log.warn({ error: String(error) }, 'other builds could not be looked up')
      await recordBuild(db, maker).catch(failed)
      await work()
    },
    async stop() {
      stopping.abort()
      await working
    },
  }
}

const toldNothing: PurgeMark = { catalog: -1, counts: {}, since: null, tries: 0, nextAt: null }

const knows = (mark: PurgeMark, { catalog, counts }: ChangeCounts): boolean =>
  mark.catalog === catalog && Object.entries(counts).every(([kind, count]) => mark.counts[kind] === count)

/** Cloudflare says by `success` whether it has done it. */
const saysNo = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'success' in body && body.success === false
