import type { StatsHitInput } from '#contract/statistics/stats-hit.ts'

/** What a page is, as the statistics name it. It stays with a page that is kept. */
export type PageFacts = Pick<
  StatsHitInput,
  'current_page_type' | 'current_page_id' | 'page_uri' | 'current_currency'
> & {
  readonly search: string
}
