import { type OrderAttribution, readAttribution } from '#shop/attribution-intake.ts'
import type { Shopper } from '#shop/wanted-order.ts'
import type { Visit } from './visit.ts'

/** What a request tells of the one who orders. @param fields as they were posted */
export function shopperOf(visit: Visit, fields: Readonly<Record<string, unknown>>): Shopper {
  return { customerIp: visit.ip, customerUserAgent: visit.userAgent, attribution: attributionIn(visit, fields) }
}

/** Where the one who orders or registers came from; null where the shop does not want to know, or the request does not say. */
export function attributionIn(visit: Visit, fields: Readonly<Record<string, unknown>>): OrderAttribution | null {
  if (!visit.app.tools.settings.attribution.enabled) return null
  return readAttribution(fields, visit.request.headers.get('cookie') ?? '', visit.userAgent)
}
