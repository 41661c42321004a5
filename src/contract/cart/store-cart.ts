import { z } from 'zod'
import { storeAddressInput, storeBillingAddress, storeShippingAddress } from '../addresses/store-address.ts'
import { storeProduct } from '../catalog/store-products.ts'
import { storeCoupon } from '../coupons/store-coupons.ts'
import { minorText, storeCurrency, storeExtensions, storeImage, storeItemPrices } from '../shared/store-money.ts'
import { storePackage } from '../shipping/store-shipping.ts'

/** One line of the cart. */
export const storeCartItem = z.object({
  key: z.string(),
  id: z.number().int(),
  type: z.string(),
  quantity: z.number().int(),
  quantity_limits: z.object({
    minimum: z.number().int(),
    maximum: z.number().int(),
    multiple_of: z.number().int(),
    editable: z.boolean(),
  }),
  name: z.string(),
  short_description: z.string(),
  description: z.string(),
  sku: z.string(),
  low_stock_remaining: z.number().int().nullable(),
  backorders_allowed: z.boolean(),
  show_backorder_badge: z.boolean(),
  sold_individually: z.boolean(),
  permalink: z.string(),
  images: z.array(storeImage),
  variation: z.array(z.object({ raw_attribute: z.string(), attribute: z.string(), value: z.string() })),
  item_data: z.array(z.unknown()),
  prices: storeItemPrices,
  totals: z.object({
    ...storeCurrency,
    line_subtotal: minorText,
    line_subtotal_tax: minorText,
    line_total: minorText,
    line_total_tax: minorText,
  }),
  catalog_visibility: z.string(),
  extensions: storeExtensions,
})

export type StoreCartItem = z.infer<typeof storeCartItem>

export const storeCartTotals = z.object({
  ...storeCurrency,
  total_items: minorText,
  total_items_tax: minorText,
  total_fees: minorText,
  total_fees_tax: minorText,
  total_discount: minorText,
  total_discount_tax: minorText,
  /** Null until a shipping rate is known. */
  total_shipping: minorText.nullable(),
  total_shipping_tax: minorText.nullable(),
  total_price: minorText,
  total_tax: minorText,
  tax_lines: z.array(z.object({ name: z.string(), price: minorText, rate: z.string() })),
})

export const storeFee = z.object({
  key: z.string(),
  name: z.string(),
  totals: z.object({ ...storeCurrency, total: minorText, total_tax: minorText }),
})

/** A reason why the cart cannot be ordered as it is. */
export const storeCartProblem = z.object({ code: z.string(), message: z.string() })

export const storeCart = z.object({
  items: z.array(storeCartItem),
  coupons: z.array(storeCoupon),
  fees: z.array(storeFee),
  totals: storeCartTotals,
  shipping_address: storeShippingAddress,
  billing_address: storeBillingAddress,
  needs_payment: z.boolean(),
  needs_shipping: z.boolean(),
  payment_requirements: z.array(z.string()),
  has_calculated_shipping: z.boolean(),
  shipping_rates: z.array(storePackage),
  items_count: z.number().int(),
  /** Kilograms. */
  items_weight: z.number(),
  cross_sells: z.array(storeProduct),
  errors: z.array(storeCartProblem),
  payment_methods: z.array(z.string()),
  extensions: storeExtensions,
})

export type StoreCartRecord = z.infer<typeof storeCart>

const id = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
const quantity = z.coerce.number().int()

/** Input without parameters; unknown ones, as `_locale`, are ignored. */
export const storeNoInput = z.object({})

const chosenAttribute = z.object({ attribute: z.string().max(200), value: z.string().max(200) })

export const storeAddItemInput = z.object({
  id,
  quantity: quantity.default(1),
  variation: z.array(chosenAttribute).max(50).default([]),
})

export const storeItemKeyInput = z.object({ key: z.string().min(1).max(100) })
export const storeUpdateItemInput = storeItemKeyInput.extend({ quantity: quantity.min(0) })

export const storeUpdateCustomerInput = z.object({
  billing_address: storeAddressInput.optional(),
  shipping_address: storeAddressInput.optional(),
})

export const storeExtensionsInput = z.object({
  namespace: z.string().min(1).max(100),
  data: z.record(z.string(), z.unknown()).default({}),
})

/** A failed operation; answers of 409 also have the whole cart in `data.cart`. */
export const storeErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  data: z.looseObject({ status: z.number().int() }),
})

/** Maximum number of requests of a batch. */
export const mostBatched = 25

export const storeBatchInput = z.object({
  validation: z.enum(['require-all-validate', 'normal']).default('normal'),
  requests: z
    .array(
      z.object({
        method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
        path: z.string().min(1).max(2000),
        headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
        body: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .min(1)
    .max(mostBatched),
})

export const storeBatchOutput = z.object({
  responses: z.array(
    z.object({ status: z.number().int(), headers: z.record(z.string(), z.string()), body: z.unknown() }),
  ),
})
