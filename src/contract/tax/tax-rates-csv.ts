import type { TaxRateRow } from '#domain/tax/tax-rate.ts'
import { countryIn, postcodeRuleIn, stateIn } from '../addresses/place-cells.ts'
import { booleanWords, wordValue } from '../import/formats/value-words.ts'
import { booleanIn, type CellResult, integerIn, taxClassIn, withoutGuard } from '../import/product-csv-cells.ts'
import { percentText, ppmOf } from '../shared/merchant-rules.ts'

/** The columns of the classic tax rate file, in their order. */
export const taxRateColumns = [
  'Country code',
  'State code',
  'Postcode / ZIP',
  'City',
  'Rate %',
  'Tax name',
  'Priority',
  'Compound',
  'Shipping',
  'Tax class',
] as const

export type TaxRateColumn = (typeof taxRateColumns)[number]

export type TaxRateFields = Omit<TaxRateRow, 'id'>

export type TaxRateFault = { readonly column: TaxRateColumn; readonly value: string; readonly problem: string }

const anything = '*'
const highestPpm = 10_000_000
const highestPriority = 1000

/**
 * @param cell returns the text of a column, '' if the file lacks it
 * @param classes the shop's tax classes besides the standard one
 */
export function taxRateOf(
  cell: (column: TaxRateColumn) => string,
  classes: readonly string[],
): {
  readonly rate: TaxRateFields
  readonly faults: readonly TaxRateFault[]
} {
  const faults: TaxRateFault[] = []
  const read = <Value>(
    column: TaxRateColumn,
    empty: Value,
    reader: (text: string) => CellResult<Value>,
    text = textOf(cell(column)),
  ): Value => {
    if (text === '' || text === anything) return empty
    const result = reader(text)
    if ('value' in result) return result.value
    faults.push({ column, value: text, problem: result.problem })
    return empty
  }
  const several = (column: TaxRateColumn, reader: (text: string) => CellResult<string>) =>
    textOf(cell(column))
      .split(';')
      .map((part) => read(column, '', reader, part.trim()))
      .filter((part) => part !== '')

  const country = read('Country code', '', countryIn)
  const rate: TaxRateFields = {
    country,
    state: read('State code', '', (text) => (country === '' ? { problem: 'needs a country' } : stateIn(country, text))),
    postcodes: several('Postcode / ZIP', postcodeRuleIn),
    cities: several('City', (text) => ({ value: text.toUpperCase() })),
    ratePpm: read('Rate %', -1, percentage),
    name: read('Tax name', 'Tax', named),
    priority: read('Priority', 1, (text) => integerIn(text, 1, highestPriority)),
    compound: read('Compound', false, yesOrNo),
    shipping: read('Shipping', false, yesOrNo),
    class: read('Tax class', '', (text) => taxClassIn(text, classes)),
  }
  if (rate.ratePpm < 0 && !faults.some(({ column }) => column === 'Rate %'))
    faults.push({ column: 'Rate %', value: '', problem: 'is missing' })
  return { rate, faults }
}

/** Returns the cells of a rate, in the order of the columns. */
export function taxRateCells(rate: TaxRateFields): string[] {
  return [
    rate.country || anything,
    rate.state || anything,
    rate.postcodes.join(';') || anything,
    rate.cities.join(';') || anything,
    percentText(rate.ratePpm),
    rate.name,
    String(rate.priority),
    rate.compound ? '1' : '0',
    rate.shipping ? '1' : '0',
    rate.class,
  ]
}

function percentage(text: string): CellResult<number> {
  // A rate has no thousands: a comma is its decimal mark.
  const parsed = ppmOf(text.replace(/\s*%$/, '').replace(',', '.'))
  if ('problem' in parsed) return parsed
  return parsed.ppm > highestPpm ? { problem: 'must be at most 1000' } : { value: parsed.ppm }
}

/** Takes the words of eleven languages. */
function yesOrNo(text: string): CellResult<boolean> {
  return booleanIn(wordValue(booleanWords, text))
}

function named(text: string): CellResult<string> {
  return text.length > 100 ? { problem: 'has more than 100 characters' } : { value: text }
}

function textOf(cell: string): string {
  return withoutGuard(cell).trim()
}
