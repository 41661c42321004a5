import { addDays, periodBefore } from '#domain/statistics/report-period.ts'
import { onlineNow, readStatistics, type StatisticsReport } from '#shop/statistics/read-statistics.ts'
import { shopHours } from '#shop/statistics/shop-hours.ts'
import { commandGroup, jsonOption, textGiven } from '../shared/command-group.ts'
import { rejectUsage } from '../shared/messages.ts'
import { tableLines } from '../shared/table.ts'

const longestDays = 800
const linesOfEach = 10

/** The reasons why requests were not counted. */
const reasons: Readonly<Record<StatisticsReport['exclusions'][number]['reason'], string>> = {
  robot: 'robots',
  'do-not-track': 'visitors who do not want to be tracked',
  'global-privacy-control': 'visitors with Global Privacy Control',
  prefetch: 'pages made ready that nobody may look at',
  '404': 'pages that are not there',
  path: 'paths that you leave out',
  staff: 'people who work in the shop',
  'cross-site': 'calls from other sites',
  'too-many': 'more pages than a person looks at',
  shed: 'given up under load',
}

export const statisticsCommand = commandGroup('statistics', {
  show: {
    usage: '[--days 30] [--json]',
    summary: 'Shows the figures of the last days including today, beside those of the period before.',
    example: '--days 90',
    options: {
      days: { type: 'string', value: '<number>', what: `1 to ${longestDays}; 30` },
      ...jsonOption,
    },
    words: [0, 0],
    async run(_, { days: given, json }, context) {
      const days = textGiven(given) ?? '30'
      if (!/^[1-9]\d{0,2}$/.test(days) || Number(days) > longestDays) {
        return rejectUsage(
          context,
          `--days "${days}" is not a whole number from 1 to ${longestDays}. Example: --days 30`,
        )
      }
      const { day: to } = shopHours(() => context.settings)(context.clock.now())
      const period = { from: addDays(to, 1 - Number(days)), to }
      const report = await readStatistics(context, { ...period, compare: true })
      if (json) context.print(JSON.stringify(report))
      else for (const line of reportLines(report)) context.print(line)
      return 0
    },
  },

  online: {
    usage: '[--json]',
    summary: 'Shows the current visitors and their pages.',
    example: '',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, context) {
      const { visitors, pages } = await onlineNow(context)
      if (json) context.print(JSON.stringify({ visitors, pages }))
      else {
        context.print(visitors === 1 ? '1 visitor is online.' : `${visitors} visitors are online.`)
        for (const line of tableLines(
          pages.map((page) => [String(page.visitors), page.path]),
          [0],
        ))
          context.print(line)
      }
      return 0
    },
  },
})

function reportLines(report: StatisticsReport): string[] {
  const { period, totals, before, since } = report
  // Printed even without any visit, where the merchant looks for the reason.
  const leftOut = list(
    ['Not counted', 'Times'],
    report.exclusions.map(({ reason, count }) => [reasons[reason], count]),
  )
  if (since === null)
    return ['No visit was counted yet. Visits are counted once the shop is open to visitors.', ...leftOut]
  const earlier = before?.totals
  const figure = (name: string, now: number, then: number | undefined) => [
    name,
    String(now),
    String(then ?? ''),
    change(now, then),
  ]
  const { from, to } = before?.period ?? periodBefore(period)
  const key = [
    ['', `${period.from} – ${period.to}`, `${from} – ${to}`, ''],
    figure('Visitors', totals.visitors, earlier?.visitors),
    figure('Visits', totals.visits, earlier?.visits),
    figure('Views', totals.views, earlier?.views),
  ]
  return [
    ...tableLines(key, [1, 2, 3]),
    ...list(
      ['Page', 'Views', 'Visitors'],
      report.pages.map(({ path, views, visitors }) => [path, views, visitors]),
    ),
    ...list(
      ['Source', 'Channel', 'Visits', 'Visitors'],
      report.sources.map(({ source, channel, visits, visitors }) => [source, channel, visits, visitors]),
    ),
    ...list(
      ['Country', 'Visits', 'Visitors', 'Guessed'],
      report.countries.map(({ country, visits, visitors, guessed }) => [
        country || 'unknown',
        visits,
        visitors,
        guessed,
      ]),
    ),
    ...list(
      ['Device', 'Visits', 'Visitors'],
      report.devices.map(({ device, visits, visitors }) => [device, visits, visitors]),
    ),
    ...list(
      ['Searched for', 'Visitors'],
      report.searches.map(({ term, visitors }) => [term, visitors]),
    ),
    ...leftOut,
  ]
}

/** A table of the first rows with a title line, or nothing without rows. Figures are aligned to the right. */
function list(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const [first] = rows
  if (!first) return []
  const right = first.flatMap((cell, column) => (typeof cell === 'number' ? [column] : []))
  return ['', ...tableLines([head, ...rows.slice(0, linesOfEach).map((row) => row.map(String))], right)]
}

function change(now: number, then: number | undefined): string {
  if (!then) return ''
  const percent = Math.round(((now - then) / then) * 100)
  return `${percent > 0 ? '+' : ''}${percent} %`
}
