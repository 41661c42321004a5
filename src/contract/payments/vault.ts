import { z } from 'zod'

const fields = z.string().max(10_000)
const tokenId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

/** `POST vault/setup-tokens`: starts to save a payment method. Takes fields of the page's form, flat, as texts. */
export const setupTokensInput = z
  .object({
    payment_method: z.string().max(40),
    context: z.enum(['product', 'cart', 'minicart', 'checkout', 'express', 'order_pay', 'add_payment_method']),
  })
  .catchall(fields)

/** `approve_url` is for browsers without PayPal's script. */
export const setupTokensAnswer = z.object({ id: z.string(), approve_url: z.string().optional() })

/** `POST vault/payment-tokens`: saves an approved payment method. `fastlane`: the token is a single-use card token. */
export const paymentTokensInput = z.object({
  setup_token: tokenId,
  payment_method: z.string().max(40).optional(),
  fastlane: z.union([z.boolean(), z.string().max(5)]).optional(),
})

const name = z.object({
  given_name: z.string().optional(),
  surname: z.string().optional(),
  full_name: z.string().optional(),
})
const address = z.record(z.string(), z.string())

/** Values for the form. `id` is PayPal's, valid for the same visitor only. */
export const paymentTokensAnswer = z.object({
  id: z.string(),
  payment_source: z.object({
    paypal: z
      .object({
        name: name.optional(),
        email_address: z.string().optional(),
        phone: z.object({ phone_number: z.object({ national_number: z.string().optional() }).optional() }).optional(),
        shipping: z.object({ name: name.optional(), address: address.optional() }).optional(),
        address: address.optional(),
      })
      .optional(),
    card: z
      .object({ brand: z.string().optional(), last_digits: z.string().optional(), expiry: z.string().optional() })
      .optional(),
  }),
})

/** `POST billing-agreement/token`: starts a billing agreement, the predecessor of the vault. Returns its token. */
export const billingTokenInput = z
  .object({
    payment_method: z.string().max(40),
    context: z.enum(['cart', 'minicart', 'checkout', 'express', 'product']),
  })
  .catchall(fields)

/** `GET billing-agreement/token/{id}`: returns payer and address of a billing agreement. */
export const billingTokenAnswer = z.object({
  id: z.string(),
  payer: z
    .object({
      name: name.optional(),
      email_address: z.string().optional(),
      phone: z.string().optional(),
      address: address.optional(),
    })
    .optional(),
  shipping: z.object({ name: name.optional(), address: address.optional() }).optional(),
})

export type SetupTokensInput = z.input<typeof setupTokensInput>
export type SetupTokensAnswer = z.infer<typeof setupTokensAnswer>
export type PaymentTokensInput = z.input<typeof paymentTokensInput>
export type PaymentTokensAnswer = z.infer<typeof paymentTokensAnswer>
export type BillingTokenAnswer = z.infer<typeof billingTokenAnswer>
