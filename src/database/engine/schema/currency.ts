import type { ColumnType, Generated } from 'kysely'

// Types of the tables of exchange rates; 0012_currency.sql describes their content.

/** Origin of a rate: one of the shop's sources, or a file that the merchant imported. */
export type RateSource = 'ecb' | 'open-rates' | 'file'

export type CurrencyRatesTable = {
  base: string
  code: string
  /** In the form 2026-01-05; the driver returns local midnight of the process, so query `day::text`. */
  day: ColumnType<Date, string, string>
  source: RateSource
  rate: string
  refused: Generated<boolean>
  fetched_at: Date
}
