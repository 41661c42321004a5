import { termsVersionField } from '#contract/checkout/hooks.ts'
import { type OrderAttribution, readAttribution } from '#shop/attribution/attribution-intake.ts'
import { agreedTerms } from '#shop/checkout/agreed-terms.ts'
import type { Shopper } from '#shop/checkout/order-request.ts'
import type { Visit } from '../http/visit.ts'

/** Returns the shopper's data in a request. @param fields the posted fields */
export async function shopperOf(visit: Visit, fields: Readonly<Record<string, unknown>>): Promise<Shopper> {
  return {
    customerIp: visit.ip,
    customerUserAgent: visit.userAgent,
    attribution: attributionIn(visit, fields),
    terms: await agreedTerms(visit.app.tools, fields[termsVersionField]),
  }
}

/**
 * Returns the attribution of an order or registration; null if the shop does not record it, or the request has none.
 */
export function attributionIn(visit: Visit, fields: Readonly<Record<string, unknown>>): OrderAttribution | null {
  if (!visit.app.tools.settings.attribution.enabled) return null
  return readAttribution(fields, visit.request.headers.get('cookie') ?? '', visit.userAgent)
}
