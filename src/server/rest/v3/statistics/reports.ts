import { z } from 'zod'
import { urls } from '#contract/shared/urls.ts'
import {
  type V3ReportQuery,
  type V3SalesReport,
  type V3Total,
  v3ReportEntry,
  v3ReportQuery,
  v3ReportShape,
  v3SalesReport,
  v3TopSeller,
  v3Total,
} from '#contract/statistics/v3-reports.ts'
import { countRecords } from '#database/statistics/rest-reports.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { multiplyRounded } from '#domain/money/round.ts'
import { orderStatuses } from '#domain/orders/order-status.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { readSalesReport, readTopSellers, reportDays, type SalesFigures } from '#shop/statistics/read-sales-report.ts'
import { linkedRecord } from '../resource/linked-record.ts'
import { type V3Context, v3Call } from '../resource/v3-call.ts'
import { invalidParam } from '../resource/v3-error.ts'
import { onlyFields } from '../response-fields.ts'

/** Reads from the replica, if there is one; from the primary if that fails. In the shop's own currency and time zone. */
async function fromReplica<Result>(
  { visit: { app } }: V3Context,
  read: (tools: Pick<Tools, 'db' | 'settings' | 'clock'>, currency: string) => Promise<Result>,
): Promise<Result> {
  const { tools } = app.inCurrency(app.ownCurrency)
  if (!app.reports) return read(tools, app.ownCurrency)
  const { settings, clock } = tools
  return read({ settings, clock, db: app.reports }, app.ownCurrency).catch((error: unknown) => {
    tools.log.warn({ error: String(error) }, 'replica failed: report read from the primary')
    return read(tools, app.ownCurrency)
  })
}

/** @throws V3Error for a day that the calendar lacks */
function daysOf(
  { period, date_min: from, date_max: to }: V3ReportQuery,
  { clock, settings }: Pick<Tools, 'clock' | 'settings'>,
) {
  for (const [name, day] of Object.entries({ date_min: from, date_max: to })) {
    const at = Date.parse(`${day ?? '2000-01-01'}T00:00:00Z`)
    if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(day ?? '2000-01-01')) {
      throw invalidParam(name, 'must be a day like 2026-05-10')
    }
  }
  const days = reportDays(period, { from, to }, { now: clock.now(), timeZone: settings.timeZone })
  const longestMs = 10 * 366 * 86_400_000
  if (Date.parse(days.to) - Date.parse(days.from) > longestMs) {
    throw invalidParam('date_min', 'must be at most ten years before the end')
  }
  return days
}

const about = ({ tools }: V3Context) => ({ about: [{ href: tools.publicUrl + urls.rest('wc/v3/reports') }] })

const salesCall = v3Call({
  name: 'reports/sales',
  tag: 'reports',
  method: 'GET',
  load: 'statistics',
  summary: 'Sales of a period',
  input: v3ReportQuery,
  output: z.array(linkedRecord(v3SalesReport)),
  async answer(context, query) {
    const record = await fromReplica(context, async (tools, currency) => {
      const days = daysOf(query, tools)
      const chosen = query.date_min !== undefined || query.date_max !== undefined
      const { groupedBy, groups, total } = await readSalesReport(
        tools,
        currency,
        days,
        chosen ? undefined : query.period,
      )
      return salesRecord({ groupedBy, groups, total, currency })
    })
    return Response.json([onlyFields({ ...record, _links: about(context) }, query._fields)])
  },
})

function salesRecord({
  groupedBy,
  groups,
  total,
  currency,
}: Awaited<ReturnType<typeof readSalesReport>> & { currency: string }): V3SalesReport {
  const amount = (minor: number) => decimalString(money(minor, currency))
  const group = ({ revenue, orders, items, tax, shipping, discount, customers }: SalesFigures) => ({
    sales: amount(revenue),
    orders,
    items,
    tax: amount(tax),
    shipping: amount(shipping),
    discount: amount(discount),
    customers,
  })
  return {
    total_sales: amount(total.revenue),
    net_sales: amount(total.revenue - total.tax - total.shipping),
    // The average of a day, or of a month.
    average_sales: amount(groups.size === 0 ? 0 : multiplyRounded(total.revenue, 1, groups.size, 'half-up')),
    total_orders: total.orders,
    total_items: total.items,
    total_tax: amount(total.tax),
    total_shipping: amount(total.shipping),
    total_refunds: amount(total.refunds),
    total_discount: amount(total.discount),
    totals_grouped_by: groupedBy,
    totals: Object.fromEntries([...groups].map(([name, figures]) => [name, group(figures)])),
    total_customers: total.customers,
  }
}

const topSellersCall = v3Call({
  name: 'reports/top_sellers',
  tag: 'reports',
  method: 'GET',
  load: 'statistics',
  summary: 'Best-selling products of a period',
  input: v3ReportQuery,
  output: z.array(linkedRecord(v3TopSeller)),
  async answer(context, query) {
    const sold = await fromReplica(context, (tools, currency) => readTopSellers(tools, currency, daysOf(query, tools)))
    return Response.json(
      sold.map(({ id, name, quantity }) => {
        const product = [{ href: context.tools.publicUrl + urls.rest(`wc/v3/products/${id}`) }]
        const record = { name, product_id: id, quantity, _links: { ...about(context), product } }
        return onlyFields(record, query._fields)
      }),
    )
  },
})

type Kind = Parameters<typeof countRecords>[1]

/** Slugs of each report, which it names even where there are none. */
const slugs: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  orders: Object.fromEntries(
    orderStatuses.filter((status) => status !== 'checkout-draft').map((status) => [status, nameOf(status)]),
  ),
  products: {
    external: 'External product',
    grouped: 'Grouped product',
    simple: 'Simple product',
    variable: 'Variable product',
  },
  customers: { paying: 'Paying customer', non_paying: 'Non-paying customer' },
  coupons: {
    percent: 'Percentage discount',
    fixed_cart: 'Fixed cart discount',
    fixed_product: 'Fixed product discount',
  },
  reviews: Object.fromEntries([1, 2, 3, 4, 5].map((stars) => [`rated_${stars}_out_of_5`, `Rated ${stars} out of 5`])),
}

/** `on-hold` as On hold. */
function nameOf(status: string): string {
  const words = status.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

// The names of the table.
const kinds = Object.keys(slugs) as Kind[]

const totalsCalls = kinds.map((kind) =>
  v3Call({
    name: `reports/${kind}/totals`,
    tag: 'reports',
    method: 'GET',
    load: 'statistics',
    summary: `Numbers of ${kind}`,
    input: v3ReportShape,
    output: z.array(linkedRecord(v3Total)),
    async answer(context, { _fields: fields }) {
      const counted = await fromReplica(context, ({ db }) => countRecords(db.kysely, kind))
      const records = Object.entries(slugs[kind]).map(
        ([slug, name]): V3Total => ({ slug, name, total: counted.get(/^rated_(\d)/.exec(slug)?.[1] ?? slug) ?? 0 }),
      )
      return Response.json(records.map((record) => onlyFields({ ...record, _links: about(context) }, fields)))
    },
  }),
)

const indexed: readonly (readonly [string, string])[] = [
  ['sales', 'Sales of a period.'],
  ['top_sellers', 'Best-selling products of a period.'],
  ...kinds.map((kind) => [`${kind}/totals`, `Numbers of ${kind}.`] as const),
]

const indexCall = v3Call({
  name: 'reports',
  tag: 'reports',
  method: 'GET',
  summary: 'List the reports',
  input: v3ReportShape,
  output: z.array(linkedRecord(v3ReportEntry)),
  async answer({ tools }, { _fields: fields }) {
    const root = tools.publicUrl + urls.rest('wc/v3/reports')
    return Response.json(
      indexed.map(([slug, description]) => {
        const _links = { self: [{ href: `${root}/${slug}` }], collection: [{ href: root }] }
        return onlyFields({ slug, description, _links }, fields)
      }),
    )
  },
})

/** `wc/v3/reports` */
export const v3ReportCalls = [indexCall, salesCall, topSellersCall, ...totalsCalls]
