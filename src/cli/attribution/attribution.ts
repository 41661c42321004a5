import { dayIn } from '#contract/import/product-csv-cells.ts'
import { attributionKeys, touches } from '#database/attribution/attribution.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { addDays } from '#domain/statistics/report-period.ts'
import {
  type AttributionLine,
  type AttributionReport,
  attributionReport,
} from '#shop/attribution/attribution-report.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, jsonOption, type Options, textGiven } from '../shared/command-group.ts'
import { unknownWord, wordOf } from '../shared/listing.ts'
import { counted, rejectUsage, warn } from '../shared/messages.ts'
import { tableLines } from '../shared/table.ts'

const options = {
  by: { type: 'string', value: '<what>', completes: attributionKeys, what: `${attributionKeys.join(', ')}; source` },
  touch: {
    type: 'string',
    value: '<which>',
    completes: touches,
    what: 'the last visit before the order, or the very first one; last by default',
  },
  days: { type: 'string', value: '<number>', what: 'the number of days up to today; 30' },
  from: { type: 'string', value: '<date>', what: 'the first day, as 2026-05-01' },
  to: { type: 'string', value: '<date>', what: 'the last day; today' },
  ...jsonOption,
} as const satisfies Options

export const attributionCommand = commandGroup('attribution', {
  report: {
    usage: '[--by campaign] [--touch first] [--days 90] [options]',
    summary: 'Reports orders, revenue and conversion by source, medium, campaign, device or origin.',
    example: '--by campaign --days 90',
    options,
    words: [0, 0],
    async run(_, given, context) {
      const asked = askedFor(given, context)
      if (typeof asked === 'string') return rejectUsage(context, asked)
      const report = await attributionReport(context, asked)
      if (given.json) context.print(JSON.stringify(reportJson(report)))
      else printReport(report, context)
      return 0
    },
  },
})

const mostDays = 800

function askedFor(given: Given, { settings, clock }: CommandContext) {
  const by = wordOf(given.by, attributionKeys)
  if (by === null) return unknownWord('by', given.by, attributionKeys)
  const touch = wordOf(given.touch, touches)
  if (touch === null) return unknownWord('touch', given.touch, touches)
  const days = textGiven(given.days)
  if (days !== undefined && (given.from !== undefined || given.to !== undefined)) {
    return '--days cannot be combined with --from or --to. Use one of them.'
  }
  if (days !== undefined && !(/^[1-9]\d{0,2}$/.test(days) && Number(days) <= mostDays)) {
    return `--days "${days}" is not a whole number from 1 to ${mostDays}. Example: --days 30`
  }
  for (const edge of ['from', 'to'] as const) {
    const day = textGiven(given[edge])
    if (
      day !== undefined &&
      (!/^\d{4}-\d{2}-\d{2}$/.test(day) || 'problem' in dayIn(day, 'start', settings.timeZone))
    ) {
      return `--${edge} "${day}" is not a date. Example: --${edge} 2026-12-31`
    }
  }
  const to = textGiven(given.to) ?? today(clock.now(), settings.timeZone)
  const from = textGiven(given.from) ?? addDays(to, 1 - Number(days ?? 30))
  if (from > to) return `--from ${from} is later than --to ${to}. Swap them.`
  return { from, to, by: by ?? 'source', touch: touch ?? 'last' } as const
}

const today = (now: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)

const titles = { source: 'Source', medium: 'Medium', campaign: 'Campaign', device: 'Device', origin: 'Origin' } as const

function printReport({ lines, all, ...report }: AttributionReport, context: CommandContext): void {
  const { print, say } = context
  const { by, currency, from, to, touch } = report
  say(`${counted(all.orders, 'order')} from ${from} to ${to}, by the ${touch} visit, in ${currency}.`)
  if (lines.length > 0) {
    const amount = (minor: number) => decimalString(money(minor, currency))
    const cells = (name: string, line: AttributionReport['all']) => [
      name,
      String(line.orders),
      String(line.paid),
      amount(line.revenue),
      line.average === null ? '–' : amount(line.average),
      line.visits === null ? '–' : String(line.visits),
      line.conversion === null ? '–' : `${(line.conversion * 100).toFixed(1)} %`,
    ]
    const head = [titles[by], 'Orders', 'Paid', 'Revenue', 'Average', 'Visits', 'Conversion']
    const rows = lines.map((line) => cells(line.value || 'Unknown', line))
    for (const line of tableLines([head, ...rows, cells('All', all)], [1, 2, 3, 4, 5, 6])) print(line)
  }
  if (report.withoutVisits === 'not-counted')
    warn(context, 'no visits were counted in this period, so no conversion is shown.')
  if (report.withoutVisits === 'not-comparable') {
    warn(context, 'conversion is shown for source, medium, campaign and device of the last visit only.')
  }
}

function reportJson({ lines, all, currency, ...report }: AttributionReport) {
  const figures = ({ revenue, average, ...line }: AttributionReport['all']) => ({
    ...line,
    revenue: decimalString(money(revenue, currency)),
    average: average === null ? null : decimalString(money(average, currency)),
  })
  return {
    ...report,
    currency,
    lines: lines.map(({ value, ...line }: AttributionLine) => ({ value: value || null, ...figures(line) })),
    all: figures(all),
  }
}
