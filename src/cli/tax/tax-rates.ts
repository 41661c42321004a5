import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type TaxRateColumn, type TaxRateFields, taxRateCells, taxRateOf } from '#contract/tax/tax-rates-csv.ts'
import { importTaxRates, taxRatesCsv } from '#shop/tax/import-tax-rates.ts'
import { removeTaxRate, saveTaxRates, showTaxRates, type TaxRateCounts } from '#shop/tax/manage-tax-rates.ts'
import { readingGiven, readingOptions } from '../import/reading-options.ts'
import { commandGroup, jsonOption, listGiven, type Options, printFaults, textGiven } from '../shared/command-group.ts'
import { counted, fail, rejectUsage } from '../shared/messages.ts'
import { tableLines } from '../shared/table.ts'

const place = {
  country: { type: 'string', value: '<code>', what: 'two letters; any unless given' },
  state: { type: 'string', value: '<code>', what: 'any unless given' },
  postcodes: { type: 'string', multiple: true, value: '<rule>', what: '94110, CB23* or 94102...94134' },
  cities: { type: 'string', multiple: true, value: '<name>', what: 'restricts the rate to these cities' },
} as const satisfies Options

const kind = {
  name: { type: 'string', value: '<text>', what: 'the name that customers see: VAT' },
  priority: { type: 'string', value: '<number>', what: 'one rate of each priority applies; 1' },
  compound: { type: 'boolean', what: 'applies to the price plus the taxes before it' },
  'no-shipping': { type: 'boolean', what: 'does not apply to shipping' },
  class: { type: 'string', value: '<slug>', what: 'reduced-rate …; the standard class unless given' },
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

export const taxRatesCommand = commandGroup('tax-rates', {
  list: {
    usage: '[--json]',
    summary: 'Lists all rates in the order of entry.',
    example: '',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, context) {
      const rates = await showTaxRates(context)
      if (json) context.print(JSON.stringify(rates))
      else if (rates.length === 0)
        context.say('There are no tax rates yet. Add one: tax-rates add 19 --country DE --name VAT')
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
    usage: 'rates.csv [--dry-run] [--replace] [--separator ";"] [--encoding windows-1252] [--json]',
    summary: 'Imports a tax rate file of WooCommerce, or nothing of it when a line is wrong.',
    example: 'rates.csv --dry-run',
    options: {
      'dry-run': { type: 'boolean', what: 'checks the file and changes nothing' },
      replace: { type: 'boolean', what: 'removes the rates that are not in the file' },
      ...readingOptions,
      ...jsonOption,
    },
    words: [1, 1],
    async run([file = ''], given, context) {
      const reading = readingGiven(given)
      if ('problem' in reading) return rejectUsage(context, reading.problem)
      const { separator: delimiter, encoding } = reading
      const dryRun = given['dry-run'] === true
      const joining = given.replace ? 'replace' : 'merge'
      const result = await importTaxRates(context, { file: resolve(file), delimiter, encoding, joining, dryRun })
      if (given.json) context.print(JSON.stringify({ ...result, dryRun }))
      else if (result.ok)
        context.say(
          dryRun
            ? `Dry run: ${countsText(result.counts)}. Nothing was changed.`
            : `Imported tax rates: ${countsText(result.counts)}.`,
        )
      else {
        for (const { line, column, value, problem } of result.faults) {
          const place = [line > 0 ? `line ${line}` : file, column, value && JSON.stringify(value)]
          fail(context, `${place.filter(Boolean).join(', ')}: ${problem}`)
        }
        const faults = counted(result.faults.length, 'error')
        // The file itself was named already.
        if (result.faults.length === 1 && result.faults[0]?.line === 0) return 1
        fail(context, `nothing was imported: ${faults} in ${file}. Correct the file and import it again.`)
      }
      return result.ok ? 0 : 1
    },
  },

  export: {
    usage: '[rates.csv]',
    summary: 'Exports the rates as CSV, to standard output unless a file is named.',
    example: 'rates.csv',
    options: {},
    words: [0, 1],
    async run([file], _, context) {
      const rates = await showTaxRates(context)
      const text = taxRatesCsv(rates)
      if (file === undefined) context.print(text.trimEnd())
      else {
        await writeFile(resolve(file), text)
        context.say(`Exported ${counted(rates.length, 'tax rate')} to ${file}.`)
      }
      return 0
    },
  },

  add: {
    usage: '<rate in %> --country DE --name VAT [options]',
    summary: 'Adds a rate, or changes the rate of the same place, class and priority.',
    example: '19 --country DE --name VAT',
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
        return printFaults(context, faults)
      }
      const counts = await saveTaxRates(context, [read.rate], 'merge')
      if (given.json) context.print(JSON.stringify(read.rate))
      else
        context.say(
          counts.added || counts.changed
            ? `${counts.added ? 'Added' : 'Changed'} tax rate ${described(read.rate)}.`
            : `No change: tax rate ${described(read.rate)} exists already.`,
        )
      return 0
    },
  },

  remove: {
    usage: '<number>',
    summary: 'Removes a rate by the number that "tax-rates list" shows.',
    example: '3',
    options: {},
    words: [1, 1],
    async run([text = ''], _, context) {
      const gone = /^\d{1,15}$/.test(text) ? await removeTaxRate(context, Number(text)) : null
      if (!gone) return fail(context, `tax rate "${text}" does not exist. List tax rates: tax-rates list`)
      context.say(`Removed tax rate ${described(gone)}.`)
      return 0
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

function countsText({ added, changed, removed, unchanged }: TaxRateCounts): string {
  return `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged`
}
