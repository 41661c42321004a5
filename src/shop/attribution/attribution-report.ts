import { dayIn } from '#contract/import/product-csv-cells.ts'
import { type AttributionKey, salesByAttribution, type TouchKind } from '#database/attribution/attribution.ts'
import { originOf } from '#domain/attribution/origin.ts'
import { addDays } from '#domain/statistics/report-period.ts'
import { storableText } from '#domain/statistics/stored-text.ts'
import { longestTexts } from '#domain/statistics/visit-limits.ts'
import type { Tools } from '../shared/tools.ts'
import { visitsBy } from '../statistics/read-statistics.ts'
import { originInEnglish } from './attribution-origin.ts'

/** The result of one source, campaign etc. Amounts are minor units of the shop's own currency. */
export type AttributionLine = {
  /** '' if unknown, `(none)` if absent; an origin is localized. */
  readonly value: string
  readonly orders: number
  /** Number of paid orders among them. */
  readonly paid: number
  /** Paid and not refunded. */
  readonly revenue: number
  /** Average of the paid orders; null without any. */
  readonly average: number | null
  /** Null if no visits were counted under that name. */
  readonly visits: number | null
  /** Orders divided by visits; null without visits. */
  readonly conversion: number | null
}

export type AttributionReport = {
  readonly from: string
  readonly to: string
  readonly by: AttributionKey
  readonly touch: TouchKind
  readonly currency: string
  /** Highest revenue first; lines with visits and no orders at the end. */
  readonly lines: readonly AttributionLine[]
  readonly all: Omit<AttributionLine, 'value'>
  /** The reason why visits and conversion are missing, or null. */
  readonly withoutVisits: 'not-counted' | 'not-comparable' | null
}

const mostUnsold = 50

/**
 * Reports orders and revenue by attribution.
 *
 *
 * Visits come from the statistics, which have neither first touches nor origins. For these, and where nothing was
 * counted, the conversion is missing rather than invented.
 * @param asked days in the shop's time zone, both included
 */
export async function attributionReport(
  tools: Pick<Tools, 'db' | 'clock' | 'settings'>,
  asked: { readonly from: string; readonly to: string; readonly by: AttributionKey; readonly touch: TouchKind },
): Promise<AttributionReport> {
  const { from, to, by, touch } = asked
  const { timeZone, currency } = tools.settings
  const period = { from: startOf(from, timeZone), to: startOf(addDays(to, 1), timeZone), currency }
  const comparable = by !== 'origin' && touch === 'last'
  const [rows, visits] = await Promise.all([
    salesByAttribution(tools.db.kysely, period, { by, touch }),
    comparable ? visitsBy(tools, { from, to }, by) : new Map<string, { visits: number }>(),
  ])
  const sold = rows.map(({ value, type, orders, paid, revenue }): AttributionLine => {
    const name = by === 'origin' ? originInEnglish(originOf(type, value)) : value
    return {
      value: name,
      ...figures({ orders, paid, revenue, visits: visits.get(asCounted(value, by))?.visits ?? null }),
    }
  })
  // Visits without an order are half of the answer.
  const known = new Set(rows.map(({ value }) => asCounted(value, by)))
  const unsold = [...visits]
    .filter(([value, share]) => share.visits > 0 && !known.has(value))
    .sort(([, one], [, other]) => other.visits - one.visits)
    .slice(0, mostUnsold)
    .map(([value, share]) => ({ value, ...figures({ orders: 0, paid: 0, revenue: 0, visits: share.visits }) }))
  const lines = [...sold, ...unsold]
  const sum = (of: (line: AttributionLine) => number) => lines.reduce((all, line) => all + of(line), 0)
  const allVisits = [...visits.values()].reduce((all, share) => all + share.visits, 0)
  return {
    ...{ from, to, by, touch, currency },
    // Different spellings of one source have the same name.
    lines: by === 'origin' ? joined(lines) : lines,
    all: figures({
      orders: sum(({ orders }) => orders),
      paid: sum(({ paid }) => paid),
      revenue: sum(({ revenue }) => revenue),
      // Visits without a campaign are not counted by campaign.
      visits: allVisits > 0 && by !== 'campaign' ? allVisits : null,
    }),
    withoutVisits: comparable ? (allVisits > 0 ? null : 'not-counted') : 'not-comparable',
  }
}

/** Returns a name as the statistics store it, which is shorter than in an order. */
const asCounted = (value: string, by: AttributionKey) =>
  by === 'source' || by === 'medium' || by === 'campaign' ? storableText(value, longestTexts[by]) : value

function figures({ orders, paid, revenue, visits }: Pick<AttributionLine, 'orders' | 'paid' | 'revenue' | 'visits'>) {
  const conversion = visits === null || visits === 0 ? null : orders / visits
  return { orders, paid, revenue, average: paid === 0 ? null : Math.round(revenue / paid), visits, conversion }
}

function joined(lines: readonly AttributionLine[]): AttributionLine[] {
  const byName = new Map<string, AttributionLine>()
  for (const line of lines) {
    const { orders, paid, revenue } = byName.get(line.value) ?? { orders: 0, paid: 0, revenue: 0 }
    const both = { orders: orders + line.orders, paid: paid + line.paid, revenue: revenue + line.revenue }
    byName.set(line.value, { value: line.value, ...figures({ ...both, visits: null }) })
  }
  return [...byName.values()].sort((one, other) => other.revenue - one.revenue || other.orders - one.orders)
}

function startOf(day: string, timeZone: string): Date {
  const read = dayIn(day, 'start', timeZone)
  if ('problem' in read) throw new Error(`${day} ${read.problem}`)
  return read.value
}
