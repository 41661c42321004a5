import { z } from 'zod'
import { walletMethodId, walletOrderIdPattern } from './constants.ts'

/** Content of the checkout's return parameter: an approved wallet order, and values for the form. */
export const orderReviewReturn = z.object({
  payment_method: z.literal(walletMethodId),
  paypal_order: z.string().regex(walletOrderIdPattern),
  /** By form field name; a name without billing or shipping is a billing field. An empty list means no fields. */
  fields: z
    .union([
      z.record(z.string().max(60), z.unknown()),
      z
        .array(z.unknown())
        .max(0)
        .transform(() => ({})),
    ])
    .default({})
    .transform((fields) =>
      Object.fromEntries(
        Object.entries(fields)
          .filter((field): field is [string, string] => typeof field[1] === 'string' && field[1].length <= 2000)
          .slice(0, 60),
      ),
    ),
})

export type OrderReviewReturn = z.output<typeof orderReviewReturn>

/** Maximum length: the rest of the URL must fit beside it, and our own values are far below. */
const maxLength = 8 * 1024

/** Parses the checkout's return parameter, base64 of JSON; null for invalid values. */
export function parseOrderReview(parameter: string): OrderReviewReturn | null {
  if (parameter === '' || parameter.length > maxLength || !/^[A-Za-z0-9+/_ =-]+$/.test(parameter)) return null
  try {
    // An unencoded plus sign arrives as a space.
    const binary = atob(parameter.replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/'))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (sign) => sign.charCodeAt(0)))
    const parsed = orderReviewReturn.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    // No base64, no UTF-8 or no JSON: the checkout ignores the parameter.
    return null
  }
}

/** Returns the parameter's value for an approved wallet order. */
export function orderReviewParameterFor(walletOrderId: string): string {
  return btoa(JSON.stringify({ payment_method: walletMethodId, paypal_order: walletOrderId, fields: {} }))
}
