import { postcodeMatches } from '../shipping/postcode-rule.ts'

/** A row of the merchant's tax table. Empty country or state: any. */
export type TaxRateRow = {
  readonly id: number
  readonly country: string
  readonly state: string
  readonly postcodes: readonly string[]
  readonly cities: readonly string[]
  /** Parts per million: 7.25 % is 72500. */
  readonly ratePpm: number
  readonly name: string
  readonly priority: number
  readonly compound: boolean
  /** Applies to shipping as well. */
  readonly shipping: boolean
  /** Empty: the standard class. */
  readonly class: string
}

/** A rate that applies to a location, as calculation and totals rows need it. */
export type TaxRate = {
  readonly id: number
  readonly code: string
  readonly label: string
  readonly ratePpm: number
  readonly compound: boolean
  readonly shipping: boolean
}

/** Location of taxation. `postcode` in its country's format (`formatPostcode`). */
export type TaxPlace = {
  readonly country: string
  readonly state: string
  readonly postcode: string
  readonly city: string
}

/** Returns the rates of one tax class at a location, in the order of compound rates: one row per priority. */
export function taxRatesFor(rows: readonly TaxRateRow[], place: TaxPlace, taxClass: string): TaxRate[] {
  const candidates = rows
    .filter((row) => row.class === taxClass)
    .map((row) => matched(row, place))
    .filter((candidate) => candidate !== null)
    .sort(bySpecificity)
  const seen = new Set<number>()
  const rates: TaxRate[] = []
  for (const { row } of candidates) {
    if (seen.has(row.priority)) continue
    seen.add(row.priority)
    rates.push(asRate(row))
  }
  return rates
}

/**
 * Returns `<COUNTRY>-<STATE>-<NAME>-<PRIORITY>` in upper case without empty parts: the key of a tax row on the wire.
 */
export function taxRateCode(row: Pick<TaxRateRow, 'country' | 'state' | 'name' | 'priority'>): string {
  return [row.country, row.state, row.name || 'TAX', String(row.priority)]
    .filter((part) => part !== '')
    .join('-')
    .toUpperCase()
}

type Candidate = { row: TaxRateRow; postcodes: number; cities: number }

function matched(row: TaxRateRow, place: TaxPlace): Candidate | null {
  if (row.country !== '' && row.country.toUpperCase() !== place.country.toUpperCase()) return null
  if (row.state !== '' && row.state.toUpperCase() !== place.state.toUpperCase()) return null
  const postcodes = row.postcodes.filter((rule) => postcodeMatches(rule, place.postcode, place.country)).length
  if (row.postcodes.length > 0 && postcodes === 0) return null
  const city = place.city.trim().toUpperCase()
  const cities = row.cities.filter((name) => name.trim().toUpperCase() === city).length
  if (row.cities.length > 0 && cities === 0) return null
  return { row, postcodes, cities }
}

function bySpecificity(a: Candidate, b: Candidate): number {
  return (
    a.row.priority - b.row.priority ||
    Number(a.row.country === '') - Number(b.row.country === '') ||
    Number(a.row.state === '') - Number(b.row.state === '') ||
    b.postcodes - a.postcodes ||
    b.cities - a.cities ||
    a.row.id - b.row.id
  )
}

function asRate(row: TaxRateRow): TaxRate {
  const { id, ratePpm, compound, shipping } = row
  return { id, code: taxRateCode(row), label: row.name || 'Tax', ratePpm, compound, shipping }
}
