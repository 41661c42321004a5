import { z } from 'zod'

/** `GET vitrine/v1/statistics`. An invalid period is ignored: the last 30 days. */
export const readStatisticsInput = z.object({
  period: z.string().max(20).optional().catch(undefined),
  from: z.string().max(10).optional().catch(undefined),
  to: z.string().max(10).optional().catch(undefined),
  /** The response's language, a tag of the shop's languages; default: the shop's own. */
  language: z.string().max(35).optional().catch(undefined),
})

const count = z.number().int().min(0)
const figures = { visitors: count, visits: count, views: count }

export const readStatisticsAnswer = z.object({
  /** Both days are included; in the shop's time zone. */
  period: z.object({ name: z.string(), from: z.string(), to: z.string() }),
  /** The localized period. */
  text: z.string(),
  totals: z.object(figures),
  days: z.array(z.object({ day: z.string(), ...figures })),
  /** Revenue in minor units of the currency. */
  sales: z.object({ orders: count, revenue: z.number().int(), currency: z.string() }),
  /** The page's markup of the report. */
  html: z.string(),
})

/** `GET vitrine/v1/statistics/online` */
export const readOnlineInput = readStatisticsInput.pick({ language: true })

export const readOnlineAnswer = z.object({
  visitors: count,
  pages: z.array(z.object({ path: z.string(), visitors: count })),
  text: z.string(),
})
