import { z } from 'zod'
import { walletMethodId, walletOrderIdPattern } from './constants.ts'

/** What the address of the checkout may carry back: an approved wallet order, and what the form is to be filled with. */
export const orderReviewReturn = z.object({
  payment_method: z.literal(walletMethodId),
  paypal_order: z.string().regex(walletOrderIdPattern),
  /** By the names of the form's fields; one that names neither billing nor shipping is of billing. An empty list is none. */
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

/** The rest of an address must fit beside it, and nothing of ours comes near. */
const longest = 8 * 1024

/** Reads base64 of JSON from the checkout's address; null for anything that is not such a return. */
export function parseOrderReview(parameter: string): OrderReviewReturn | null {
  if (parameter === '' || parameter.length > longest || !/^[A-Za-z0-9+/_ =-]+$/.test(parameter)) return null
  try {
    // A plus sign that was not encoded arrives as a blank.
    const binary = atob(parameter.replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/'))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (sign) => sign.charCodeAt(0)))
    const parsed = orderReviewReturn.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    // No base64, no UTF-8 or no JSON: whoever wrote this address, the checkout is shown as it is.
    return null
  }
}

/** The parameter's value for an approved wallet order. */
export function orderReviewParameterFor(walletOrderId: string): string {
  return btoa(JSON.stringify({ payment_method: walletMethodId, paypal_order: walletOrderId, fields: {} }))
}
