import { type Kysely, sql } from 'kysely'
import { noAttribution } from '#contract/attribution/attribution.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { sales } from '../statistics/sales-figures.ts'

/** Properties by which orders are grouped; `origin` combines kind and source of the visit, as lists show it. */
export const attributionKeys = ['source', 'medium', 'campaign', 'device', 'origin'] as const
export type AttributionKey = (typeof attributionKeys)[number]

/** The visit that ended with the order, or the visitor's first one. */
export const touches = ['last', 'first'] as const
export type TouchKind = (typeof touches)[number]

/**
 * `value` is '' if unknown, `(none)` if absent; for an origin it is the source, and `type` its kind. Revenue is in
 * minor units.
 */
export type AttributionRow = {
  readonly value: string
  readonly type: string
  readonly orders: number
  /** Number of paid orders among them. */
  readonly paid: number
  readonly revenue: number
}

/**
 * Sums the counted orders between two instants by one property of their attribution. An order with only one known visit
 * has the same first and last touch; the device is that of the order.
 * @param currency the shop's own
 */
export async function salesByAttribution(
  db: Kysely<Schema>,
  period: { from: Date; to: Date; currency: string },
  { by, touch }: { by: AttributionKey; touch: TouchKind },
): Promise<readonly AttributionRow[]> {
  const visit = touch === 'last' ? sql`attribution` : sql`coalesce(attribution -> 'first', attribution)`
  // A known visit without a campaign differs from an unknown visit.
  const text = (name: string) =>
    sql`case when ${visit} ->> 'source_type' is null then '' else coalesce(${visit} ->> ${name}::text, ${noAttribution}) end`
  const value = by === 'device' ? sql`coalesce(attribution ->> 'device_type', '')` : text(fields[by])
  const type = by === 'origin' ? text('source_type') : sql`''::text`
  const { rows } = await sql<AttributionRow>`
    with ${sales(period)}, told as (select ${value} as value, ${type} as type, paid_at, revenue from sales)
    select value, type, count(*)::int as orders, count(paid_at)::int as paid, sum(revenue)::bigint as revenue
    from told group by value, type order by sum(revenue) desc, count(*) desc, value = '', value, type`.execute(db)
  return rows
}

const fields = { source: 'utm_source', medium: 'utm_medium', campaign: 'utm_campaign', origin: 'utm_source' } as const
