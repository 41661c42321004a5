import {
  type TaxRateColumn,
  type TaxRateFields,
  taxRateCells,
  taxRateColumns,
  taxRateOf,
} from '#contract/tax/tax-rates-csv.ts'
import { type V3Tax, type V3TaxInput, v3Tax, v3TaxesQuery, v3TaxInput } from '#contract/tax/v3-taxes.ts'
import { readTaxClasses } from '#shop/tax/manage-tax-classes.ts'
import {
  addTaxRate,
  changeTaxRate,
  removeTaxRate,
  type StoredTaxRate,
  showTaxRates,
} from '#shop/tax/manage-tax-rates.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { unknownId, V3Error } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'

const sorts = {
  id: (a: V3Tax, b: V3Tax) => a.id - b.id,
  order: (a: V3Tax, b: V3Tax) => a.order - b.order,
  priority: (a: V3Tax, b: V3Tax) => a.priority - b.priority || a.order - b.order,
}

/** `wc/v3/taxes` */
export const v3TaxCalls = v3Resource({
  path: 'taxes',
  title: 'tax rate',
  item: v3Tax,
  batch: true,
  list: {
    query: v3TaxesQuery,
    async run({ tools }, query) {
      const wanted = query.class
      const found = (await showTaxRates(tools))
        .map(taxRecord)
        .filter((tax) => wanted === undefined || tax.class === (wanted || 'standard'))
        .filter(({ id }) => query.include.length === 0 || query.include.includes(id))
        .filter(({ id }) => !query.exclude.includes(id))
        .toSorted(sorts[query.orderby])
      const sorted = query.order === 'desc' ? found.toReversed() : found
      const start = query.offset ?? query.per_page * (query.page - 1)
      return { total: found.length, records: sorted.slice(start, start + query.per_page) }
    },
  },
  async get({ tools }, id: number) {
    const record = (await showTaxRates(tools)).map(taxRecord).find((tax) => tax.id === id)
    if (!record) throw unknownId('tax')
    return record
  },
  create: {
    input: v3TaxInput,
    async run({ tools }, input) {
      const classes = await readTaxClasses(tools)
      const read = parsedRate({ name: 'Tax', shipping: true, ...input }, classes, null)
      if (!read.ok) throw read.error
      const { id } = await addTaxRate(tools, read.value)
      return recordOf(tools, id)
    },
  },
  update: {
    input: v3TaxInput,
    async run({ tools }, id, input) {
      const classes = await readTaxClasses(tools)
      const changed = await changeTaxRate(tools, id, (before) => parsedRate(input, classes, before))
      if (!changed) throw unknownId('tax')
      if (!changed.ok) throw changed.error
      return recordOf(tools, id)
    },
  },
  remove: {
    trash: false,
    async run({ tools }, id) {
      const record = (await showTaxRates(tools)).map(taxRecord).find((tax) => tax.id === id)
      if (!record || !(await removeTaxRate(tools, id))) throw unknownId('tax')
      return record
    },
  },
})

async function recordOf(tools: V3Context['tools'], id: number): Promise<V3Tax> {
  const record = (await showTaxRates(tools)).map(taxRecord).find((tax) => tax.id === id)
  if (!record) throw unknownId('tax')
  return record
}

/** @param order position among all rates, from 0 */
function taxRecord(rate: StoredTaxRate, order: number): V3Tax {
  const { id, country, state, postcodes, cities, ratePpm, name, priority, compound, shipping } = rate
  return {
    id,
    country,
    state,
    postcode: postcodes[0] ?? '',
    city: cities[0] ?? '',
    postcodes: [...postcodes],
    cities: [...cities],
    rate: `${Math.floor(ratePpm / 10_000)}.${String(ratePpm % 10_000).padStart(4, '0')}`,
    name,
    priority,
    compound,
    shipping,
    order,
    class: rate.class || 'standard',
  }
}

type Parsed = { readonly ok: true; readonly value: TaxRateFields } | { readonly ok: false; readonly error: V3Error }

/** Parses a rate like a line of a tax file: one format, one validation. @param before null: a new rate */
function parsedRate(input: V3TaxInput, classes: readonly string[], before: StoredTaxRate | null): Parsed {
  const stored = before ? taxRateCells(before) : []
  const cells = new Map(taxRateColumns.map((column, place) => [column, stored[place] ?? '']))
  const write = (column: TaxRateColumn, text: string | undefined) => {
    if (text !== undefined) cells.set(column, text)
  }
  const yesNo = (given: boolean | undefined) => (given === undefined ? given : given ? '1' : '0')
  write('Country code', input.country)
  write('State code', input.state)
  write('Postcode / ZIP', input.postcodes?.join(';') ?? input.postcode)
  write('City', input.cities?.join(';') ?? input.city)
  write('Rate %', input.rate)
  write('Tax name', input.name)
  write('Priority', input.priority === undefined ? undefined : String(input.priority))
  write('Compound', yesNo(input.compound))
  write('Shipping', yesNo(input.shipping))
  write('Tax class', input.class === 'standard' ? '' : input.class)
  const { rate, faults } = taxRateOf((column) => cells.get(column) ?? '', classes)
  if (faults.length === 0) return { ok: true, value: rate }
  const params = Object.fromEntries(
    faults.map(({ column, value, problem }) => [members[column], value === '' ? problem : `"${value}" ${problem}`]),
  )
  const message = `Invalid parameter(s): ${Object.keys(params).join(', ')}`
  return { ok: false, error: new V3Error(400, 'rest_invalid_param', message, params) }
}

const members: Readonly<Record<TaxRateColumn, string>> = {
  'Country code': 'country',
  'State code': 'state',
  'Postcode / ZIP': 'postcodes',
  City: 'cities',
  'Rate %': 'rate',
  'Tax name': 'name',
  Priority: 'priority',
  Compound: 'compound',
  Shipping: 'shipping',
  'Tax class': 'class',
}
