import { z } from 'zod'
import { walletOrderIdPattern } from './constants.ts'

/** A form sends the fields of all its methods; unused ones are empty. */
const approved = z.preprocess(
  (value) => (value === '' ? undefined : value),
  z.string().regex(walletOrderIdPattern).optional(),
)

/**
 * `POST cart/checkout`: places the order after the approval and captures the payment. Takes all fields of the checkout
 * form, flat, as texts.
 */
export const cartCheckoutInput = z
  .object({
    payment_method: z.string().max(40),
    context: z.enum(['product', 'cart', 'minicart', 'checkout', 'express', 'order_pay']),
    /** The field of the method; the wallet's serves both. */
    ppcp_paypal_order_id: approved,
    ppcp_card_paypal_order_id: approved,
  })
  .catchall(z.string().max(10_000))
  .refine((fields) => fields.ppcp_paypal_order_id ?? fields.ppcp_card_paypal_order_id, {
    path: ['ppcp_paypal_order_id'],
    error: 'names no order of the provider',
  })

/** Idempotent: a paid order returns `success` again. */
export const cartCheckoutAnswer = z.discriminatedUnion('result', [
  z.object({ result: z.literal('success'), redirect: z.string() }),
  z.object({
    result: z.literal('failure'),
    /** Notices as markup. */
    messages: z.string(),
    /** PayPal's issue, if any; those in `restartCodes` reopen the wallet. */
    code: z.string().optional(),
    /** The totals on the page are out of date. */
    refresh: z.boolean().optional(),
    reload: z.boolean().optional(),
  }),
])

export type CartCheckoutInput = z.infer<typeof cartCheckoutInput>
export type CartCheckoutAnswer = z.infer<typeof cartCheckoutAnswer>
