import { z } from 'zod'

/** Returns whether a text is a number as addresses write one: decimal, without sign and leading zeros, and exact. */
export function isNumberText(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
}

/** Returns a number of an address; null for every other spelling, so that a thing has one address. */
export function numberIn(text: string | undefined): number | null {
  return text !== undefined && isNumberText(text) ? Number(text) : null
}

/** The number of an order, product, picture or customer as a call takes it: a number, or a text in that one spelling. */
export const idInput = z.preprocess(
  (given) => (typeof given === 'string' && !isNumberText(given) ? Number.NaN : given),
  z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
)
