import { daysBetween, type PeriodName } from '#domain/statistics/report-period.ts'

/** The merchant's page of statistics: its addresses, and what is printed into it for its script. */

/** What a period is asked for by, in the address of the page as in the call's. */
export type PeriodQuery = { readonly period: PeriodName } | { readonly from: string; readonly to: string }

export const statisticsUrls = {
  page: (query?: PeriodQuery) => (query ? `/statistics/?${new URLSearchParams(query)}` : '/statistics/'),
} as const

/** Of the page's own calls. */
export const statisticsNamespace = 'vitrine/v1'

/** Printed into the page as JSON in an element of this id. */
export const dashboardElementId = 'vitrine-statistics'

export type DashboardSettings = {
  /** Where REST paths begin. */
  readonly root: string
  readonly nonce: string
  readonly nonceEndpoint: string
  /** In which the page is written, and its calls are answered. */
  readonly language: string
  readonly words: {
    readonly loading: string
    /** `%s` stands for the period. */
    readonly shown: string
    readonly failed: string
    readonly loggedOut: string
    readonly inspect: string
  }
}

/** What stands under one place of the chart: an hour, a day or a week. */
export type BucketUnit = 'hour' | 'day' | 'week'

/** Days beside each other until they would be too thin to point at; then weeks. */
export function bucketUnit({ from, to }: { readonly from: string; readonly to: string }): BucketUnit {
  const days = daysBetween(from, to) + 1
  return days === 1 ? 'hour' : days <= 92 ? 'day' : 'week'
}
