import type { Generated } from 'kysely'

/** Days are text, `2026-11-22`, in the shop's time zone. */
export type StatSaltTable = { day: string; salt: Uint8Array }

export type StatVisitTable = {
  day: string
  vid: string
  first_at: Date
  last_at: Date
  visits: number
  hits: number
  entry_path: string
  exit_path: string
  source: string
  medium: string
  campaign: string
  channel: string
}

export type StatSeenTable = { day: string; vid: string; what: string }

export type StatOnlineTable = { vid: string; last_at: Date; path: string }

export type StatCountTable = {
  dimension: string
  grain: 'day' | 'month'
  day: string
  value: string
  detail: Generated<string>
  visitors: Generated<number>
  visits: Generated<number>
  views: Generated<number>
}

export type StatExcludedTable = { day: string; reason: string; n: Generated<number> }
