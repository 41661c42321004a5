import { z } from 'zod'
import { storeBillingAddress, storeShippingAddress } from '../addresses/store-address.ts'
import { storeCartItem, storeCartProblem, storeCartTotals, storeFee } from '../cart/store-cart.ts'
import { storeCoupon } from '../coupons/store-coupons.ts'
import { minorText } from '../shared/store-money.ts'

/** `order/<id>`: the key or the billing email proves that a guest may read it. */
export const storeOrderInput = z.object({
  id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  key: z.string().max(100).default(''),
  billing_email: z.string().max(500).default(''),
})

export const storeOrder = z.object({
  id: z.number().int(),
  status: z.string(),
  items: z.array(
    storeCartItem.omit({ low_stock_remaining: true, backorders_allowed: true, show_backorder_badge: true }),
  ),
  coupons: z.array(storeCoupon),
  fees: z.array(storeFee),
  totals: storeCartTotals.omit({ total_items: true, total_items_tax: true }).extend({
    subtotal: minorText,
    total_refund: minorText,
  }),
  billing_address: storeBillingAddress,
  shipping_address: storeShippingAddress,
  needs_payment: z.boolean(),
  needs_shipping: z.boolean(),
  payment_requirements: z.array(z.string()),
  errors: z.array(storeCartProblem),
})

export type StoreOrderRecord = z.infer<typeof storeOrder>
