import { z } from 'zod'
import { numberIn } from '../shared/number-text.ts'

const text = z.string().max(500)

/**
 * `add_to_cart`: all data attributes of the pressed button are sent; only these are parsed. A missing quantity is one;
 * an invalid one is zero, and rejected.
 */
export const addToCartInput = z.object({
  product_id: z.string().max(20).optional().catch(undefined),
  quantity: z.string().max(20).optional().catch('0'),
})

export const removeFromCartInput = z.object({ cart_item_key: text.default('').catch('') })

/** Accepts any input: the wire's `time` only prevents caching. */
export const noInput = z.object({})

export const applyCouponInput = z.object({
  coupon_code: text.default('').catch(''),
  billing_email: text.default('').catch(''),
})

export const removeCouponInput = z.object({ coupon: text.default('').catch('') })

/** Package index → rate id. */
export const shippingChoices = z.record(z.string().regex(/^\d{1,3}$/), z.string().max(100))

export const updateShippingMethodInput = z.object({ shipping_method: shippingChoices.default({}).catch({}) })

export const getVariationInput = z
  .object({ product_id: z.string().max(20).default('').catch('') })
  .catchall(z.unknown())

/** Returns the `attribute_…` fields of an input: slug → value. Values that are no strings are left out. */
export function attributesIn(input: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      name.startsWith('attribute_') && typeof value === 'string' && value.length <= 200
        ? [[name.slice('attribute_'.length), value] as const]
        : [],
    ),
  )
}

/** Formats of a number field: plain, with decimals, or with an exponent. */
const written = /^\+?\d+(?:\.\d+)?(?:e\+?\d+)?$/i

/** Parses a quantity of a form: missing or empty is 1; anything that is no number is 0. */
export function piecesIn(text: string | undefined): number {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return 1
  const pieces = written.test(trimmed) ? Math.trunc(Number(trimmed)) : 0
  return Number.isSafeInteger(pieces) ? pieces : 0
}

/** Parses a product's id of a form, or null. */
export const idIn = numberIn
