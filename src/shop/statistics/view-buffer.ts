import type { CountedBatch, CountedThing, CountedVisit } from '#database/statistics/statistics.ts'
import type { Exclusion } from '#domain/statistics/exclusions.ts'
import { ownCopy } from '../shared/copy-string.ts'

/** One page view of a visitor. */
export type CountedView = Omit<CountedVisit, 'first_at' | 'last_at' | 'hits' | 'entry_path' | 'exit_path'> & {
  readonly at: Date
  readonly path: string
  /** `product:12` */
  readonly shows: string
  /** The searched term; '': none. */
  readonly search: string
}

type Visitor = { visit: CountedVisit; readonly things: Map<string, CountedThing> }

/** Number of distinct pages, sources and terms of a day. More indicate invented values, and count as `(other)`. */
const mostValues = 5_000

/**
 * Counts that are not written yet. Views of one visitor are merged, so that a batch has one row each.
 * @param mostViews maximum number of views; further ones are dropped
 */
export function statisticsBuffer(mostViews: number) {
  let visitors = new Map<string, Visitor>()
  let pings = new Map<string, { day: string; vid: string; at: Date }>()
  let excluded = new Map<string, { day: string; reason: string; n: number }>()
  let views = 0
  const known = { day: '', values: new Map<string, Set<string>>() }

  /** The value itself, unless there are too many of its kind. */
  function bounded(day: string, kind: string, value: string): string {
    if (known.day !== day) {
      known.day = day
      known.values.clear()
    }
    const values = known.values.get(kind) ?? new Set()
    known.values.set(kind, values)
    if (values.size >= mostValues && !values.has(value)) return otherValues
    if (!values.has(value)) values.add(ownCopy(value))
    return value
  }

  function addThing(things: Visitor['things'], thing: CountedThing): void {
    const key = `${thing.dimension} ${thing.value}`
    const before = things.get(key)
    things.set(key, before ? { ...before, times: before.times + 1 } : thing)
  }

  return {
    get views() {
      return views
    },
    get isEmpty() {
      return views === 0 && pings.size === 0 && excluded.size === 0
    },
    get isFull() {
      return views >= mostViews
    },
    addView({ at, path: asked, shows, search, ...who }: CountedView): void {
      views += 1
      const { day, vid } = who
      const path = bounded(day, 'page', asked)
      const key = `${day} ${vid}`
      pings.delete(key)
      const before = visitors.get(key)
      const things = before?.things ?? new Map<string, CountedThing>()
      addThing(things, { day, vid, dimension: 'page', value: path, detail: path === asked ? shows : '', times: 1 })
      if (search !== '') {
        addThing(things, { day, vid, dimension: 'search', value: bounded(day, 'search', search), detail: '', times: 1 })
      }
      const { medium, channel, overrides } = who
      const source = bounded(day, 'source', who.source)
      const campaign = bounded(day, 'campaign', who.campaign)
      if (before) {
        // Two visits within a batch are written as one, with the source of the later.
        const from = overrides ? { source, campaign, medium, channel, overrides } : {}
        before.visit = { ...before.visit, ...from, last_at: at, hits: before.visit.hits + 1, exit_path: path }
        return
      }
      const visit = { ...who, source, campaign, first_at: at, last_at: at, hits: 1, entry_path: path, exit_path: path }
      visitors.set(key, { visit, things })
    },
    /** @returns whether there was room for it */
    addPing(day: string, vid: string, at: Date): boolean {
      const key = `${day} ${vid}`
      const visitor = visitors.get(key)
      if (visitor) visitor.visit = { ...visitor.visit, last_at: at }
      else if (pings.size >= mostViews && !pings.has(key)) return false
      else pings.set(key, { day, vid, at })
      return true
    },
    addExcluded(day: string, reason: Exclusion): void {
      const key = `${day} ${reason}`
      excluded.set(key, { day, reason, n: (excluded.get(key)?.n ?? 0) + 1 })
    },
    /** Takes all waiting counts, in batches for one write each. */
    take(): CountedBatch[] {
      const all = [...visitors.values()]
      const batches: CountedBatch[] = [
        { visits: [], things: [], pings: [...pings.values()], excluded: [...excluded.values()] },
      ]
      for (let from = 0; from < all.length; from += batchVisitors) {
        const some = all.slice(from, from + batchVisitors)
        const things = some.flatMap((visitor) => [...visitor.things.values()])
        batches.push({ visits: some.map(({ visit }) => visit), things, pings: [], excluded: [] })
      }
      visitors = new Map()
      pings = new Map()
      excluded = new Map()
      views = 0
      return batches
    },
  }
}

/** A batch of this size is written in some tens of milliseconds. */
const batchVisitors = 500

/** Replaces values beyond the limit. */
export const otherValues = '(other)'
