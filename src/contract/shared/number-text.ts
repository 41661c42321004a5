import { z } from 'zod'

/** Returns whether a text is a number in the format of URLs: decimal, without sign and leading zeros, and exact. */
export function isNumberText(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
}

/** Returns the number of a URL; null for every other spelling, so that each thing has one URL. */
export function numberIn(text: string | undefined): number | null {
  return text !== undefined && isNumberText(text) ? Number(text) : null
}

/** The number of an order, product, image or customer in a call: a number, or a text in that spelling. */
export const idInput = z.preprocess(
  (given) => (typeof given === 'string' && !isNumberText(given) ? Number.NaN : given),
  z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
)
