import { daysBetween, type PeriodName } from '#domain/statistics/report-period.ts'

/** The merchant's statistics page: its URLs, and the data printed for its script. */

/** The query parameters of a period, in the URL of the page and of the call. */
export type PeriodQuery = { readonly period: PeriodName } | { readonly from: string; readonly to: string }

export const statisticsUrls = {
  page: (query?: PeriodQuery) => (query ? `/statistics/?${new URLSearchParams(query)}` : '/statistics/'),
} as const

/** Namespace of the page's own calls. */
export const statisticsNamespace = 'vitrine/v1'

/** Id of the element with the page's JSON. */
export const dashboardElementId = 'vitrine-statistics'

export type DashboardSettings = {
  /** The base of REST paths. */
  readonly root: string
  readonly nonce: string
  readonly nonceEndpoint: string
  /** The language of the page and of its calls. */
  readonly language: string
  readonly words: {
    readonly loading: string
    /** `%s` is replaced by the period. */
    readonly shown: string
    readonly failed: string
    readonly loggedOut: string
    readonly inspect: string
  }
}

/** The unit of a chart's position: an hour, a day or a week. */
export type BucketUnit = 'hour' | 'day' | 'week'

/** Returns days until they would be too narrow to point at; then weeks. */
export function bucketUnit({ from, to }: { readonly from: string; readonly to: string }): BucketUnit {
  const days = daysBetween(from, to) + 1
  return days === 1 ? 'hour' : days <= 92 ? 'day' : 'week'
}
