import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { dayIn } from '#contract/import/product-csv-cells.ts'
import { exportReviews } from '#shop/catalog/export-reviews.ts'
import { exportCoupons } from '#shop/coupons/export-coupons.ts'
import { exportCustomers } from '#shop/customers/export-customers.ts'
import { exportAllColumns } from '#shop/import/export-all-columns.ts'
import { exportProducts } from '#shop/import/export-products.ts'
import { exportBookkeeping } from '#shop/orders/export-bookkeeping.ts'
import { exportOrders } from '#shop/orders/export-orders.ts'
import { exportOss } from '#shop/tax/export-oss.ts'
import { taxRatesCsv } from '#shop/tax/import-tax-rates.ts'
import { showTaxRates } from '#shop/tax/manage-tax-rates.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, type Options, type SubCommand, textGiven } from '../shared/command-group.ts'
import { unknownWord, wordOf } from '../shared/listing.ts'
import { listSubject, recordStaffAccess } from '../shared/log-access.ts'
import { counted, rejectUsage } from '../shared/messages.ts'

const perWords = ['order', 'line'] as const

const period = {
  from: { type: 'string', value: '<date>', what: 'the first day, as 2026-04-01' },
  to: { type: 'string', value: '<date>', what: 'the last day' },
} as const satisfies Options

export const exportCommand = commandGroup('export', {
  products: exporting({
    usage: '[file] [--short]',
    summary: 'Exports all products and variations with every column of the classic format.',
    example: 'products.csv',
    options: { short: { type: 'boolean', what: 'names, prices and status only, to edit and load again' } },
    one: 'product',
    lines: (context, { short }) => (short ? exportProducts(context) : exportAllColumns(context)),
  }),

  orders: exporting({
    summary: 'Exports all orders with their lines, one row an order, in the format of the classic export plug-ins.',
    example: 'orders.csv',
    one: 'order',
    isPersonal: true,
    lines: exportOrders,
  }),

  customers: exporting({
    summary: 'Exports all customers with their addresses, without passwords.',
    example: 'customers.csv',
    one: 'customer',
    isPersonal: true,
    lines: exportCustomers,
  }),

  coupons: exporting({
    summary: 'Exports all coupons with their rules and uses.',
    example: 'coupons.csv',
    one: 'coupon',
    lines: exportCoupons,
  }),

  reviews: exporting({
    summary: 'Exports all product reviews with answers, except those in the trash.',
    example: 'reviews.csv',
    one: 'review',
    isPersonal: true,
    lines: exportReviews,
  }),

  tax: exporting({
    summary: 'Exports the tax rates, as "tax-rates export" does.',
    example: 'tax-rates.csv',
    one: 'rate',
    lines: async function* (context) {
      yield* taxRatesCsv(await showTaxRates(context))
        .trimEnd()
        .split('\n')
    },
  }),

  bookkeeping: exporting({
    usage: '[file] --from 2026-04-01 --to 2026-06-30 [--per line]',
    summary: 'Exports paid orders and refunds of a period with net, tax by rate, fees and payment references.',
    example: 'books.csv --from 2026-04-01 --to 2026-06-30',
    options: {
      ...period,
      per: { type: 'string', value: 'order|line', completes: perWords, what: 'one row an order, or a line; order' },
    },
    one: 'row',
    check: (given) => {
      const per = wordOf(given.per, perWords)
      return per === null ? unknownWord('word for --per', given.per, perWords) : null
    },
    lines: (context, given) =>
      exportBookkeeping(context, { ...periodOf(given, context), per: wordOf(given.per, perWords) ?? 'order' }),
    hasPeriod: true,
  }),

  oss: exporting({
    usage: '[file] --from 2026-04-01 --to 2026-06-30',
    summary: 'Exports net and tax of sales to other EU countries by rate, for the One Stop Shop of a period.',
    example: 'oss.csv --from 2026-04-01 --to 2026-06-30',
    options: period,
    one: 'row',
    lines: (context, given) => exportOss(context, periodOf(given, context)),
    hasPeriod: true,
  }),
})

type Exporting = {
  readonly usage?: string
  readonly summary: string
  readonly example: string
  readonly options?: Options
  /** The name of one row: `order`. */
  readonly one: string
  /** Access to personal data is logged. */
  readonly isPersonal?: true
  readonly hasPeriod?: true
  /** @returns what is wrong with the options, or null */
  check?(given: Given): string | null
  lines(context: CommandContext, given: Given): AsyncGenerator<string>
}

/** A command that prints a file, or writes it. */
function exporting({ options = {}, ...kind }: Exporting): SubCommand {
  return {
    usage: kind.usage ?? '[file]',
    summary: kind.summary,
    example: kind.example,
    options,
    words: [0, 1],
    async run([name], given, context) {
      const problem = (kind.hasPeriod ? periodProblem(given, context) : null) ?? kind.check?.(given) ?? null
      if (problem !== null) return rejectUsage(context, problem)
      if (kind.isPersonal) await recordStaffAccess(context, `export ${kind.one}s`, listSubject(given))
      const lines = kind.lines(context, given)
      if (name === undefined) for await (const line of lines) context.print(line)
      else await writeLines(lines, resolve(name), kind.one, context)
      return 0
    },
  }
}

const linesAtOnce = 500

/** Writes a file with a byte order mark, by which spreadsheets recognize UTF-8. Readable by the owner only. */
async function writeLines(
  lines: AsyncIterable<string>,
  file: string,
  one: string,
  { say }: Pick<CommandContext, 'say'>,
): Promise<void> {
  let count = 0
  let waiting = '\uFEFF'
  await using handle = await open(file, 'w', 0o600)
  for await (const line of lines) {
    waiting += `${line}\n`
    count += 1
    if (count % linesAtOnce !== 0) continue
    await handle.write(waiting)
    waiting = ''
  }
  await handle.write(waiting)
  say(`Exported ${counted(Math.max(0, count - 1), one)} to ${file}.`)
}

function periodProblem(given: Given, { settings: { timeZone } }: Pick<CommandContext, 'settings'>): string | null {
  for (const option of ['from', 'to'] as const) {
    const text = textGiven(given[option])
    if (text === undefined) return `option --${option} is missing. Example: --from 2026-04-01 --to 2026-06-30`
    const day = dayIn(text, 'start', timeZone)
    if ('problem' in day) return `--${option} "${text}" ${day.problem}. Example: --${option} 2026-04-01`
  }
  return textGiven(given.from) !== undefined && String(given.from) > String(given.to)
    ? `--to "${given.to}" is before --from "${given.from}". Exchange them.`
    : null
}

/** The days of the options, in the time zone of the shop; the end is exclusive. */
function periodOf(given: Given, { settings: { timeZone } }: Pick<CommandContext, 'settings'>) {
  const from = dayIn(textGiven(given.from) ?? '', 'start', timeZone)
  const end = dayIn(textGiven(given.to) ?? '', 'end', timeZone)
  if ('problem' in from || 'problem' in end) throw new Error('the period was not checked')
  return { from: from.value, to: new Date(end.value.getTime() + 1) }
}
