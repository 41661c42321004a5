import { z } from 'zod'

const fields = z.string().max(10_000)
const tokenId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

/** `POST vault/setup-tokens`: begins to save a way to pay. Fields of the page's form come along, flat, as texts. */
export const setupTokensInput = z
  .object({
    payment_method: z.string().max(40),
    context: z.enum(['product', 'cart', 'minicart', 'checkout', 'express', 'order_pay', 'add_payment_method']),
  })
  .catchall(fields)

/** `approve_url` is for browsers that the provider's script does not reach. */
export const setupTokensAnswer = z.object({ id: z.string(), approve_url: z.string().optional() })

/** `POST vault/payment-tokens`: makes a way to pay of what was approved. `fastlane`: the token is a card's single-use one. */
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

/** What the form is filled with. `id` is the provider's; it is of use to the same visitor only. */
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

/** `POST billing-agreement/token`: begins an agreement of the kind from before there was a vault. Answers its token. */
export const billingTokenInput = z
  .object({
    payment_method: z.string().max(40),
    context: z.enum(['cart', 'minicart', 'checkout', 'express', 'product']),
  })
  .catchall(fields)

/** `GET billing-agreement/token/{id}`: payer and address of an agreement from before there was a vault. */
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
