import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type TaxRateColumn, type TaxRateFields, taxRateCells, taxRateOf } from '#contract/tax/tax-rates-csv.ts'
import { importTaxRates, taxRatesCsv } from '#shop/tax/import-tax-rates.ts'
import { removeTaxRate, saveTaxRates, showTaxRates, type TaxRateCounts } from '#shop/tax/manage-tax-rates.ts'
import { commandGroup, jsonOption, listGiven, type Options, printFaults, textGiven } from '../shared/command-group.ts'
import { tableLines } from '../shared/table.ts'

const place = {
  country: { type: 'string', value: '<code>', what: 'two letters; left out: any' },
  state: { type: 'string', value: '<code>', what: 'left out: any' },
  postcodes: { type: 'string', multiple: true, value: '<rule>', what: '94110, CB23* or 94102...94134' },
  cities: { type: 'string', multiple: true, value: '<name>', what: 'only there' },
} as const satisfies Options

const kind = {
  name: { type: 'string', value: '<text>', what: 'as customers read it: VAT' },
  priority: { type: 'string', value: '<number>', what: 'one rate of each priority applies; 1 unless given' },
  compound: { type: 'boolean', what: 'taken on the price and the taxes before it' },
  'no-shipping': { type: 'boolean', what: 'not charged on shipping' },
  class: { type: 'string', value: '<slug>', what: 'reduced-rate …; left out: the standard class' },
} as const satisfies Options

const optionOf: Readonly<Record<TaxRateColumn, string>> = {
  'Country code': '--country',
  'State code': '--state',
  'Postcode / ZIP': '--postcodes',
  City: '--cities',
  'Rate %': 'the rate',
  'Tax name': '--name',
  Priority: '--priority',
  Compound: '--compound',
  Shipping: '--no-shipping',
  'Tax class': '--class',
}

const delimiters: Readonly<Record<string, string>> = { tab: '\t', comma: ',', semicolon: ';', pipe: '|' }

export const taxRatesCommand = commandGroup('tax-rates', {
  list: {
    usage: '[--json]',
    summary: 'All rates, in the order in which they were entered.',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, context) {
      const rates = await showTaxRates(context)
      if (json) context.print(JSON.stringify(rates))
      else if (rates.length === 0) context.say('There is no tax rate yet: tax-rates add 19 --country DE --name VAT')
      else {
        const head = [
          '',
          'Country',
          'State',
          'Postcodes',
          'Cities',
          'Rate %',
          'Name',
          'Priority',
          'Compound',
          'Shipping',
          'Class',
        ]
        const rows = rates.map((rate) => [String(rate.id), ...shown(rate)])
        for (const line of tableLines([head, ...rows], [0, 5])) context.print(line)
      }
      return 0
    },
  },

  import: {
    usage: 'rates.csv [--dry-run] [--replace] [--delimiter ";"] [--json]',
    summary: 'Reads a tax rate file of WooCommerce: all of it, or nothing when a line has a fault.',
    options: {
      'dry-run': { type: 'boolean', what: 'checks, and says what it would do' },
      replace: { type: 'boolean', what: 'the table becomes what the file says; rates that it does not name go' },
      delimiter: {
        type: 'string',
        value: '<character>',
        what: 'comma unless given; tab, semicolon and pipe are understood',
      },
      ...jsonOption,
    },
    words: [1, 1],
    async run([file = ''], given, context) {
      const delimiter = textGiven(given.delimiter) ?? ','
      const one = delimiters[delimiter] ?? delimiter
      if (one.length !== 1) {
        context.say('--delimiter is one character, or tab.')
        return 2
      }
      const dryRun = given['dry-run'] === true
      const joining = given.replace ? 'replace' : 'merge'
      const result = await importTaxRates(context, { file: resolve(file), delimiter: one, joining, dryRun })
      if (given.json) context.print(JSON.stringify({ ...result, dryRun }))
      else if (result.ok) context.say(`${dryRun ? 'Nothing written. It would be: ' : ''}${counted(result.counts)}`)
      else {
        for (const { line, column, value, problem } of result.faults) {
          const place = [line > 0 ? `Line ${line}` : file, column, value && JSON.stringify(value)]
          context.say(`${place.filter(Boolean).join(', ')}: ${problem}`)
        }
        context.say(
          `${result.faults.length === 1 ? '1 fault' : `${result.faults.length} faults`}; nothing was imported.`,
        )
      }
      return result.ok ? 0 : 1
    },
  },

  export: {
    usage: '[rates.csv]',
    summary: 'Writes the table as such a file, to standard output without a name.',
    options: {},
    words: [0, 1],
    async run([file], _, context) {
      const rates = await showTaxRates(context)
      const text = taxRatesCsv(rates)
      if (file === undefined) context.print(text.trimEnd())
      else {
        await writeFile(resolve(file), text)
        context.say(`${rates.length} tax rates are in ${file}.`)
      }
      return 0
    },
  },

  add: {
    usage: '<rate in %> --country DE --name VAT [options]',
    summary: 'Adds a rate, or changes the one for the same place, class and priority.',
    options: { ...place, ...kind, ...jsonOption },
    words: [1, 1],
    async run([rate = ''], given, context) {
      const cells: Readonly<Record<TaxRateColumn, string>> = {
        'Country code': textGiven(given.country) ?? '',
        'State code': textGiven(given.state) ?? '',
        'Postcode / ZIP': (listGiven(given.postcodes) ?? []).join(';'),
        City: (listGiven(given.cities) ?? []).join(';'),
        'Rate %': rate,
        'Tax name': textGiven(given.name) ?? '',
        Priority: textGiven(given.priority) ?? '',
        Compound: given.compound ? '1' : '0',
        Shipping: given['no-shipping'] ? '0' : '1',
        'Tax class': textGiven(given.class) ?? '',
      }
      const read = taxRateOf((column) => cells[column], context.settings.taxes.classes)
      if (read.faults.length > 0) {
        const faults = read.faults.map(({ column, value, problem }) => ({
          key: optionOf[column],
          problem: value === '' ? problem : `"${value}" ${problem}`,
        }))
        printFaults(context, faults)
        return 1
      }
      const counts = await saveTaxRates(context, [read.rate], 'merge')
      if (given.json) context.print(JSON.stringify(read.rate))
      else
        context.say(
          `${counts.added ? 'Added' : counts.changed ? 'Changed' : 'There already'}: ${described(read.rate)}.`,
        )
      return 0
    },
  },

  remove: {
    usage: '<number>',
    summary: 'Takes a rate out of the table, by the number that list shows.',
    options: {},
    words: [1, 1],
    async run([text = ''], _, context) {
      const gone = /^\d{1,15}$/.test(text) ? await removeTaxRate(context, Number(text)) : null
      context.say(gone ? `Gone: ${described(gone)}.` : `There is no tax rate ${text}.`)
      return gone ? 0 : 1
    },
  },
})

function shown(rate: TaxRateFields): string[] {
  return taxRateCells(rate).map((cell, index) => (index === 7 || index === 8 ? (cell === '1' ? 'yes' : 'no') : cell))
}

function described(rate: TaxRateFields): string {
  const [country, state, postcodes, cities, percent, name] = taxRateCells(rate)
  const where = [country, state, postcodes, cities].filter((part) => part !== '*').join(' ')
  return `${name} ${percent} % ${where === '' ? 'everywhere' : `in ${where}`}`
}

function counted({ added, changed, removed, unchanged }: TaxRateCounts): string {
  return `${added} added, ${changed} changed, ${removed} removed, ${unchanged} as they were.`
}
