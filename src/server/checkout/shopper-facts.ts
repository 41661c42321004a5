import { termsVersionField } from '#contract/checkout/hooks.ts'
import { type OrderAttribution, readAttribution } from '#shop/attribution/attribution-intake.ts'
import { agreedTerms } from '#shop/checkout/agreed-terms.ts'
import type { Shopper } from '#shop/checkout/order-request.ts'
import type { Visit } from '../http/visit.ts'

/** What a request tells of the one who orders. @param fields as they were posted */
export async function shopperOf(visit: Visit, fields: Readonly<Record<string, unknown>>): Promise<Shopper> {
  return {
    customerIp: visit.ip,
    customerUserAgent: visit.userAgent,
    attribution: attributionIn(visit, fields),
    terms: await agreedTerms(visit.app.tools, fields[termsVersionField]),
  }
}

/** Where the one who orders or registers came from; null where the shop does not want to know, or the request does not say. */
export function attributionIn(visit: Visit, fields: Readonly<Record<string, unknown>>): OrderAttribution | null {
  if (!visit.app.tools.settings.attribution.enabled) return null
  return readAttribution(fields, visit.request.headers.get('cookie') ?? '', visit.userAgent)
}
