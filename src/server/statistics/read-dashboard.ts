import type { Database } from '#database/engine/connect.ts'
import { titlesByKind } from '#database/statistics/page-titles.ts'
import { periodBefore, reportPeriod } from '#domain/statistics/report-period.ts'
import { attributionReport } from '#shop/attribution/attribution-report.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { readSales } from '#shop/statistics/read-sales.ts'
import { onlineNow, readStatistics, type StatisticsReport } from '#shop/statistics/read-statistics.ts'
import type { DashboardFacts } from '#web/parts/statistics/dashboard-facts.ts'
import type { Application } from '../operations/startup/application.ts'

/**
 * Reads the report from the replica, if there is one; from the primary if that fails or lacks the newest tables.
 * @param asked the period in the address: see `reportPeriod`
 */
export async function readDashboard(
  { ownCurrency, inCurrency, reports }: Application,
  asked: Parameters<typeof reportPeriod>[0],
): Promise<DashboardFacts> {
  // In the shop's own currency, whatever this visitor has chosen.
  const { tools } = inCurrency(ownCurrency)
  const { db, clock, settings, log } = tools
  const readFrom = (past: Database) => factsOf({ db, clock, settings }, past, ownCurrency, asked)
  if (!reports) return readFrom(db)
  return readFrom(reports).catch((error: unknown) => {
    log.warn({ error: String(error) }, 'replica failed: report read from the primary')
    return readFrom(db)
  })
}

type ReportTools = Pick<Tools, 'db' | 'clock' | 'settings'>

/** @param past where to read past data: current data are in unlogged tables, which no replica has */
async function factsOf(
  now: ReportTools,
  past: Database,
  currency: string,
  asked: Parameters<typeof reportPeriod>[0],
): Promise<DashboardFacts> {
  const { settings, clock } = now
  const tools = { ...now, db: past }
  const { day, hour } = localTime(clock.now(), settings.timeZone)
  const period = reportPeriod(asked, day)
  const { from, to } = period
  const [report, sales, salesBefore, origins, online] = await Promise.all([
    readStatistics(tools, { from, to, compare: true }),
    readSales(tools, currency, period),
    readSales(tools, currency, periodBefore(period)),
    attributionReport(tools, { from, to, by: 'source', touch: 'last' }),
    onlineNow(now),
  ])
  const { enabled, needsConsent } = settings.statistics
  return {
    period,
    report,
    sales,
    salesBefore,
    currency,
    origins,
    titles: await titlesOf(tools, report.pages),
    online,
    hour,
    counting: !enabled ? 'off' : needsConsent ? 'agreed' : 'everybody',
  }
}

async function titlesOf(
  { db }: Pick<Tools, 'db'>,
  pages: StatisticsReport['pages'],
): Promise<ReadonlyMap<string, string>> {
  const ids = (kind: string) => [...new Set(pages.flatMap(({ type, id }) => (type === kind && id > 0 ? [id] : [])))]
  const titles = await titlesByKind(db.kysely, {
    product: ids('product'),
    category: ids('category'),
    tag: ids('tag'),
  })
  return new Map(
    pages.flatMap(({ path, type, id }) => {
      const title = titles.get(`${type}:${id}`)
      return title === undefined ? [] : [[path, title] as const]
    }),
  )
}

/** Returns the shop's local day, and the hour from 0 to 23. */
function localTime(now: Date, timeZone: string): { day: string; hour: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  })
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  return { day: `${part.year}-${part.month}-${part.day}`, hour: Number(part.hour) }
}
