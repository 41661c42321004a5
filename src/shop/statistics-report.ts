import type { Channel } from '#domain/statistics/channels.ts'
import type { Exclusion } from '#domain/statistics/exclusions.ts'
import type { Tools } from './tools.ts'

/** First and last day, both included, as `2026-11-22` in the shop's time zone. */
export type Period = { readonly from: string; readonly to: string }

/** Visitors are counted once a day: those of several days are the sum of the days. A visitor may come for several visits. */
export type Figures = { readonly visitors: number; readonly visits: number; readonly views: number }

/** How many came with one property. Views are not told apart by it. */
export type Share = { readonly visitors: number; readonly visits: number }

export type StatisticsReport = {
  readonly period: Period
  /** The day it is where the shop is; its figures are not finished. */
  readonly today: string
  /** The first day of which anything is known; null: nothing was counted yet. */
  readonly since: string | null
  readonly totals: Figures
  /** Every day of the period, those without visitors too. */
  readonly days: readonly (Figures & { readonly day: string })[]
  /** The 24 hours of the day, each summed over the period. A visitor counts in the hour in which he came first. */
  readonly hours: readonly (Figures & { readonly hour: number })[]
  /** As many days before, where it was asked for. */
  readonly before: { readonly period: Period; readonly totals: Figures; readonly days: StatisticsReport['days'] } | null
  /** `id`: of the product, category or tag that it shows; 0: none. `title` is the page's to find. */
  readonly pages: readonly {
    readonly path: string
    readonly type: string
    readonly id: number
    readonly views: number
    readonly visitors: number
  }[]
  readonly channels: readonly (Share & { readonly channel: Channel })[]
  /** `(direct)` for visits without a source. */
  readonly sources: readonly (Share & { readonly source: string; readonly channel: Channel })[]
  readonly campaigns: readonly (Share & {
    readonly campaign: string
    readonly source: string
    readonly medium: string
  })[]
  /** `''`: not known. `guessed`: how many of the visitors were placed by the language of their browser alone. */
  readonly countries: readonly (Share & { readonly country: string; readonly guessed: number })[]
  /** Language codes without a region; `''`: not known. */
  readonly languages: readonly (Share & { readonly language: string })[]
  /** `Desktop`, `Mobile`, `Tablet`: as the attribution of orders names them. */
  readonly devices: readonly (Share & { readonly device: string })[]
  readonly browsers: readonly (Share & {
    readonly browser: string
    readonly versions: readonly (Share & { readonly version: string })[]
  })[]
  readonly systems: readonly (Share & { readonly system: string })[]
  /** Only terms that at least three visitors have looked for: rarer ones may tell who asked. */
  readonly searches: readonly (Share & { readonly term: string })[]
  readonly currencies: readonly (Share & { readonly currency: string })[]
  /** What was not counted, by reason, the most frequent first. */
  readonly exclusions: readonly { readonly reason: Exclusion; readonly count: number }[]
}

export type OnlineNow = {
  /** Visitors whose page was open and visible within the last two minutes, over all processes. */
  readonly visitors: number
  /** Where they are, the fullest first; at most ten. */
  readonly pages: readonly { readonly path: string; readonly visitors: number }[]
}

export type StatisticsTools = Pick<Tools, 'db' | 'clock' | 'settings'>
