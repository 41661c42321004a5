import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'
import type { RateSource } from './schema-currency.ts'

export type RateRow = {
  readonly base: string
  readonly code: string
  /** 2026-01-05. */
  readonly day: string
  readonly rate: string
  readonly source: RateSource
}

/** The newest rate of each currency in each currency the shop has ever had as its own, refused ones left out. */
export async function latestRates(db: Kysely<Schema>): Promise<readonly RateRow[]> {
  const { rows } = await sql<RateRow>`
    select distinct on (base, code) base, code, day::text as day, rate, source from currency_rates
    where not refused order by base, code, day desc, fetched_at desc`.execute(db)
  return rows
}
