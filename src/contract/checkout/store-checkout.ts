import { z } from 'zod'
import { storeAddressInput, storeBillingAddress, storeShippingAddress } from '../addresses/store-address.ts'
import { flag } from '../shared/rest-input.ts'
import { storeExtensions } from '../shared/store-money.ts'

/** A field of the payment method, under its name in the checkout form: `ppcp_paypal_order_id`. */
const paymentField = z.object({
  key: z.string().max(100),
  value: z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]),
})

/** Values of additional fields; `vitrine/terms`: the accepted version of the terms, or true. */
const additionalFields = z.record(z.string().max(100), z.unknown())

export const storeCheckoutInput = z.object({
  billing_address: storeAddressInput.optional(),
  shipping_address: storeAddressInput.optional(),
  customer_note: z.string().max(10_000).optional(),
  payment_method: z.string().max(40).optional(),
  payment_data: z.array(paymentField).max(50).default([]),
  create_account: flag.default(false),
  customer_password: z.string().max(600).default(''),
  additional_fields: additionalFields.default({}),
  extensions: storeExtensions.default({}),
})

export type StoreCheckoutInput = z.output<typeof storeCheckoutInput>

export const storeUpdateCheckoutInput = storeCheckoutInput.pick({
  billing_address: true,
  shipping_address: true,
  customer_note: true,
  payment_method: true,
  additional_fields: true,
  extensions: true,
})

/** `checkout/<id>` pays an existing order. */
export const storePayOrderInput = storeCheckoutInput.extend({
  id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  key: z.string().max(100).default(''),
  billing_email: z.string().max(500).default(''),
})

export const paymentStatuses = ['success', 'failure', 'pending', 'error'] as const

export const storePaymentResult = z.object({
  payment_status: z.enum([...paymentStatuses, '']),
  payment_details: z.array(z.object({ key: z.string(), value: z.string() })),
  redirect_url: z.string(),
})

export type StorePaymentResult = z.infer<typeof storePaymentResult>

export const storeCheckout = z.object({
  order_id: z.number().int(),
  status: z.string(),
  order_key: z.string(),
  order_number: z.string(),
  customer_note: z.string(),
  customer_id: z.number().int(),
  billing_address: storeBillingAddress,
  shipping_address: storeShippingAddress,
  payment_method: z.string(),
  payment_result: storePaymentResult.nullable(),
  additional_fields: z.record(z.string(), z.unknown()),
  extensions: storeExtensions,
})

export type StoreCheckoutRecord = z.infer<typeof storeCheckout>
