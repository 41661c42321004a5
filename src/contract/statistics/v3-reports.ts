import { z } from 'zod'
import { recordShape } from '../shared/rest-input.ts'

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day like 2026-05-10')

/** Parameters of a report over a period. Two days replace the period. */
export const v3ReportQuery = z.looseObject({
  ...recordShape,
  period: z.enum(['week', 'month', 'last_month', 'year']).default('week'),
  date_min: day.optional(),
  date_max: day.optional(),
})
export type V3ReportQuery = z.output<typeof v3ReportQuery>

export const v3ReportShape = z.looseObject(recordShape)

const amount = z.string()

/** Sales of a day or month. Amounts are decimal texts in the shop's own currency. */
const salesOfDay = z.object({
  sales: amount,
  orders: z.number().int(),
  items: z.number().int(),
  tax: amount,
  shipping: amount,
  discount: amount,
  customers: z.number().int(),
})

/** `GET wc/v3/reports/sales`: one entry. */
export const v3SalesReport = z.object({
  total_sales: amount,
  net_sales: amount,
  average_sales: amount,
  total_orders: z.number().int(),
  total_items: z.number().int(),
  total_tax: amount,
  total_shipping: amount,
  total_refunds: amount,
  total_discount: amount,
  totals_grouped_by: z.enum(['day', 'month']),
  totals: z.record(z.string(), salesOfDay),
  total_customers: z.number().int(),
})
export type V3SalesReport = z.output<typeof v3SalesReport>

/** `GET wc/v3/reports/top_sellers` */
export const v3TopSeller = z.object({ name: z.string(), product_id: z.number().int(), quantity: z.number().int() })

/** An entry of `reports/…/totals`. */
export const v3Total = z.object({ slug: z.string(), name: z.string(), total: z.number().int() })
export type V3Total = z.output<typeof v3Total>

export const v3ReportEntry = z.object({ slug: z.string(), description: z.string() })
