import type { StatsHitInput } from '#contract/statistics/stats-hit.ts'

/** The page as named in the statistics; stored with a cached page. */
export type PageFacts = Pick<
  StatsHitInput,
  'current_page_type' | 'current_page_id' | 'page_uri' | 'current_currency'
> & {
  readonly search: string
}
