import type { StatsHitInput } from '#contract/statistics/stats-hit.ts'
import { sqlState } from '#database/engine/connect.ts'
import { addCounts, type CountedBatch, knownSalt, saltOf } from '#database/statistics/statistics.ts'
import { deviceTypeOf } from '#domain/attribution/device-type.ts'
import { acceptedLanguage, countryCode } from '#domain/statistics/accepted-language.ts'
import { isExcludedPath } from '#domain/statistics/excluded-path.ts'
import type { Exclusion } from '#domain/statistics/exclusions.ts'
import { addDays } from '#domain/statistics/report-period.ts'
import { storableText } from '#domain/statistics/stored-text.ts'
import { agentOf } from '#domain/statistics/user-agent.ts'
import {
  longestTexts,
  onlineSeconds,
  viewsPerDay,
  viewsPerMinute,
  visitMinutes,
} from '#domain/statistics/visit-limits.ts'
import { visitSource } from '#domain/statistics/visit-source.ts'
import type { Tools } from '../shared/tools.ts'
import { dayIn } from '../translation/machine/engine-health.ts'
import { isRobot, type Sender } from './detect-robots.ts'
import { shopHours } from './shop-hours.ts'
import { statisticsBuffer } from './view-buffer.ts'
import { visitorId } from './visitor-id.ts'

/** A page view. */
export type PageView = Omit<StatsHitInput, 'search_query'> & {
  readonly search: string
  /** The campaign parameters of the visit's link, as encoded. */
  readonly query: string
  /** True if the visitor is staff. */
  readonly staff: boolean
}

/** The result of a view. */
export type Counted = { readonly counted: true } | { readonly counted: false; readonly exclusion: Exclusion }

export type StatisticsCounter = {
  /** Accepts a view, or returns the reason for ignoring it. It is written later, or dropped under load. */
  view(sender: Sender, page: PageView): Counted
  /** Records that a visitor is still on a page. */
  online(sender: Sender): void
  /** Writes waiting counts. */
  flush(): Promise<void>
  /** Writes waiting counts, and accepts no more. */
  stop(): Promise<void>
}

type CounterTools = Pick<Tools, 'db' | 'clock' | 'chance' | 'settings' | 'publicUrl' | 'log'>

type CounterOptions = {
  /** Interval of writes. */
  readonly tickMs?: number
  /** Maximum number of waiting views. */
  readonly mostViews?: number
  /** Delay of the process or the database above which views are shed. */
  readonly lateMs?: number
  /** True if it writes periodically; tests call `flush`. */
  readonly running?: boolean
}

/** Number of views that triggers a write before the next tick. */
const fullBatch = 500

/** For one batch, about a second apart. */
const mostTries = 10

/** Loaded ahead, so that the first visitor after midnight does not wait. */
const saltAheadMs = 5 * 60_000

const clockJumpMs = 60 * 60_000

/** Visitors of one minute whose view rate is checked. */
const mostWatched = 50_000

/**
 * Counts visits in this process, and writes them about once a second in one transaction. A killed process loses the
 * last second. It is the first work to be shed under overload.
 */
export function createStatisticsCounter(tools: CounterTools, options: CounterOptions = {}): StatisticsCounter {
  const { tickMs = 1_000, mostViews = 5_000, lateMs = 2_000, running = true } = options
  const { clock, log } = tools
  const buffer = statisticsBuffer(mostViews)
  const hourOf = shopHours(() => tools.settings)
  const salts = new Map<string, Buffer | null>()
  const stopping = new AbortController()
  let waiting: CountedBatch[] = []
  let tries = 0
  let writing: { readonly since: number; readonly done: Promise<void> } | null = null
  let late = false
  let pace = { minute: 0, views: new Map<string, number>() }

  function isOverloaded(now: Date): boolean {
    return late || buffer.isFull || (writing !== null && now.getTime() - writing.since > lateMs * 5)
  }

  function isTooFast(vid: string, now: Date): boolean {
    const minute = Math.floor(now.getTime() / 60_000)
    if (pace.minute !== minute) pace = { minute, views: new Map() }
    const views = (pace.views.get(vid) ?? 0) + 1
    if (views === 1 && pace.views.size >= mostWatched) return true
    pace.views.set(vid, views)
    return views > viewsPerMinute
  }

  /** Computes the ids of a visitor, for today and yesterday, without a query. */
  function idsOf(sender: Sender, day: string) {
    const salt = salts.get(day)
    if (!salt) return null
    const { host } = new URL(tools.publicUrl)
    const agent = sender.header('user-agent').slice(0, 500)
    const before = salts.get(addDays(day, -1))
    return {
      vid: visitorId(salt, sender.ip, agent, host),
      vid_before: before ? visitorId(before, sender.ip, agent, host) : '',
    }
  }

  function view(sender: Sender, page: PageView): Counted {
    const now = clock.now()
    const { day, hour } = hourOf(now)
    const leftOut = (exclusion: Exclusion): Counted => {
      buffer.addExcluded(day, exclusion)
      return { counted: false, exclusion }
    }
    const exclusion = exclusionOf(tools.settings.statistics, sender, page)
    if (exclusion) return leftOut(exclusion)
    if (stopping.signal.aborted || isOverloaded(now)) return leftOut('shed')
    const ids = idsOf(sender, day)
    // No salt: the database has not answered since midnight.
    if (!ids) return leftOut('shed')
    if (isTooFast(ids.vid, now)) return leftOut('too-many')
    buffer.addView({ day, hour, at: now, ...ids, ...storedView(sender, page, tools) })
    if (running && buffer.views >= fullBatch && !writing) void flush()
    return { counted: true }
  }

  function online(sender: Sender): void {
    const now = clock.now()
    const { day } = hourOf(now)
    const { statistics } = tools.settings
    if (isRobot(sender) || unwanted(statistics, sender) || sender.header('sec-fetch-site') === 'cross-site') return
    if (stopping.signal.aborted || isOverloaded(now)) return
    const ids = idsOf(sender, day)
    if (ids) buffer.addPing(day, ids.vid, now)
  }

  /** Loads the salts of today and yesterday, and before midnight that of tomorrow; deletes earlier ones. */
  async function readSalts(): Promise<void> {
    const now = clock.now()
    const { day } = hourOf(now)
    const soon = dayIn(tools.settings.timeZone, new Date(now.getTime() + saltAheadMs))
    const yesterday = addDays(day, -1)
    for (const known of salts.keys()) if (known < yesterday || known > soon) salts.delete(known)
    if (!salts.has(yesterday)) salts.set(yesterday, await knownSalt(tools.db, yesterday))
    for (const needed of [day, soon]) {
      if (!salts.get(needed)) salts.set(needed, await saltOf(tools.db, needed, tools.chance.hex(32)))
    }
  }

  async function write(): Promise<void> {
    await readSalts()
    if (waiting.length === 0 && !buffer.isEmpty) waiting = buffer.take()
    for (let [batch] = waiting; batch; [batch] = waiting) {
      try {
        tries += 1
        await addCounts(tools.db, batch, { visitMinutes, viewsPerDay, onlineSeconds }, clock.now())
      } catch (error) {
        // A batch that the database rejects or cannot write in time would block all later ones.
        if (!isPermanent(error) && tries < mostTries) throw error
        tools.log.error({ error: String(error), visitors: batch.visits.length }, 'visits dropped')
      }
      tries = 0
      waiting.shift()
    }
  }

  function flush(): Promise<void> {
    if (writing) return writing.done
    const done = write()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'visits could not be written'))
      .finally(() => {
        writing = null
      })
    writing = { since: clock.now().getTime(), done }
    return done
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const before = clock.now().getTime()
      await clock.sleep(tickMs, stopping.signal)
      const behindMs = clock.now().getTime() - before - tickMs
      // A forward jump of the clock is not a delay.
      late = behindMs > lateMs && behindMs < clockJumpMs
      await flush()
    }
  }

  if (running) void flush().then(run)
  return {
    view,
    online,
    flush,
    async stop() {
      stopping.abort()
      // Once for the write in progress, and again for views that arrived meanwhile.
      await flush()
      await flush()
    },
  }
}

/** Checks whether a retry would fail again: the data or the statement is at fault. */
const isPermanent = (error: unknown): boolean => /^(?:22|23|42)/.test(sqlState(error) ?? '')

/** Returns the opt-out signal of the browser. */
function unwanted(
  { honourDoNotTrack }: Pick<Tools['settings']['statistics'], 'honourDoNotTrack'>,
  { header }: Sender,
): 'do-not-track' | 'global-privacy-control' | null {
  if (honourDoNotTrack && header('dnt').trim() === '1') return 'do-not-track'
  return header('sec-gpc').trim() === '1' ? 'global-privacy-control' : null
}

/** Returns why a view is ignored, as far as the request itself shows; the first reason in their order. */
function exclusionOf(settings: Tools['settings']['statistics'], sender: Sender, page: PageView): Exclusion | null {
  if (isRobot(sender)) return 'robot'
  const wish = unwanted(settings, sender)
  if (wish) return wish
  if (/\b(?:prefetch|prerender)\b/.test(`${sender.header('sec-purpose')} ${sender.header('purpose')}`))
    return 'prefetch'
  if (page.current_page_type === '404') return '404'
  if (isExcludedPath(page.page_uri, settings.excludedPaths)) return 'path'
  if (page.staff) return 'staff'
  const site = sender.header('sec-fetch-site')
  return site === 'cross-site' ? 'cross-site' : null
}

/** Returns the stored facts of a view. The headers of user agent and language are not stored. */
function storedView(sender: Sender, page: PageView, { settings, publicUrl }: CounterTools) {
  const agent = sender.header('user-agent').slice(0, 500)
  const { language, region } = acceptedLanguage(sender.header('accept-language'))
  const named = countryCode(sender.header(settings.statistics.countryHeader.toLowerCase()))
  const address = `${publicUrl}/${page.query === '' ? '' : `?${page.query}`}`
  return {
    ...visitSource(address, page.referred, new URL(publicUrl).hostname),
    ...agentOf(agent),
    device: deviceTypeOf(agent),
    language,
    country: named || region,
    country_by: named ? 'header' : region ? 'language' : '',
    currency: page.current_currency,
    path: storableText(page.page_uri, longestTexts.path) || '/',
    shows: `${page.current_page_type}:${page.current_page_id}`,
    search: storableText(page.search, longestTexts.search).toLowerCase(),
  }
}
