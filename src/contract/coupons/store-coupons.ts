import { z } from 'zod'
import { minorText, storeCurrency } from '../shared/store-money.ts'

/** A coupon of the cart. */
export const storeCoupon = z.object({
  code: z.string(),
  discount_type: z.enum(['percent', 'fixed_cart', 'fixed_product']),
  totals: z.object({ ...storeCurrency, total_discount: minorText, total_discount_tax: minorText }),
})

export type StoreCouponRecord = z.infer<typeof storeCoupon>

export const storeCouponInput = z.object({ code: z.string().max(500) })
