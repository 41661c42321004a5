import type { ColumnType, Generated } from 'kysely'

// Types of the tables of exchange rates; what they hold is said in 0012_currency.sql.

/** Whence a rate came: one of the shop's sources, or a file that the merchant took in. */
export type RateSource = 'ecb' | 'open-rates' | 'file'

export type CurrencyRatesTable = {
  base: string
  code: string
  /** Written as 2026-01-05; the driver reads midnight in the time of the process, so ask for `day::text`. */
  day: ColumnType<Date, string, string>
  source: RateSource
  rate: string
  refused: Generated<boolean>
  fetched_at: Date
}
