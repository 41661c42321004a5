import { z } from 'zod'
import type { ExperienceBody } from './order.ts'

const customer = z.object({ id: z.string().optional() })
const link = z.object({ href: z.string(), rel: z.string() })
const name = z.object({
  given_name: z.string().optional(),
  surname: z.string().optional(),
  full_name: z.string().optional(),
})
const address = z.record(z.string(), z.string())

const wallet = z.object({
  email_address: z.string().optional(),
  payer_id: z.string().optional(),
  account_id: z.string().optional(),
  name: name.optional(),
  phone: z.object({ phone_number: z.object({ national_number: z.string().optional() }).optional() }).optional(),
  shipping: z.object({ name: name.optional(), address: address.optional() }).optional(),
  address: address.optional(),
})

const card = z.object({
  brand: z.string().optional(),
  last_digits: z.string().optional(),
  expiry: z.string().optional(),
  name: z.string().optional(),
  billing_address: address.optional(),
})

const source = z.object({ paypal: wallet.optional(), venmo: wallet.optional(), card: card.optional() })

/** Payment method in the process of saving: after approval it becomes a payment token. Valid for three days. */
export const setupToken = z.object({
  id: z.string().min(1),
  status: z.enum(['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED', 'VAULTED', 'TOKENIZED']).optional(),
  customer: customer.optional(),
  payment_source: source.optional(),
  links: z.array(link).optional(),
})

/** Payment method in PayPal's vault, of one customer of the merchant. */
export const paymentToken = z.object({
  id: z.string().min(1),
  customer: customer.optional(),
  payment_source: source.optional(),
})

export const paymentTokenList = z.object({
  customer: customer.optional(),
  payment_tokens: z.array(paymentToken).optional(),
  total_pages: z.number().optional(),
})

export type SetupToken = z.infer<typeof setupToken>
export type PaymentToken = z.infer<typeof paymentToken>

export type SetupTokenBody = {
  payment_source:
    | {
        paypal: {
          usage_type: 'MERCHANT'
          customer_type: 'CONSUMER'
          permit_multiple_payment_tokens: boolean
          description?: string
          experience_context: Pick<
            ExperienceBody,
            'brand_name' | 'locale' | 'shipping_preference' | 'return_url' | 'cancel_url'
          > & {
            vault_instruction: 'ON_CREATE_PAYMENT_TOKENS' | 'ON_PAYER_APPROVAL'
          }
        }
      }
    | {
        card: {
          verification_method?: 'SCA_WHEN_REQUIRED' | 'SCA_ALWAYS'
          experience_context?: { return_url: string; cancel_url: string }
        }
      }
  customer?: { id: string }
}

export type PaymentTokenBody = {
  payment_source: { token: { id: string; type: 'SETUP_TOKEN' | 'NONCE' } }
  customer?: { id: string }
}

/** Billing agreement token, from before the vault. */
export const agreementToken = z.object({
  token_id: z.string().optional(),
  token_status: z.string().optional(),
  payer: z
    .object({
      payer_info: z
        .object({
          email: z.string().optional(),
          first_name: z.string().optional(),
          last_name: z.string().optional(),
          phone: z.string().optional(),
          payer_id: z.string().optional(),
          billing_address: address.optional(),
          shipping_address: address.optional(),
        })
        .optional(),
    })
    .optional(),
  shipping_address: address.optional(),
  links: z.array(link).optional(),
})

/** `POST /v1/billing-agreements/agreement-tokens`. */
export type AgreementTokenBody = {
  description: string
  payer: { payment_method: 'PAYPAL' }
  plan: {
    type: 'MERCHANT_INITIATED_BILLING'
    merchant_preferences: { return_url: string; cancel_url: string; skip_shipping_address: boolean }
  }
}

export const newAgreementToken = z.object({ token_id: z.string().min(1) })

export const agreement = z
  .object({ id: z.string().min(1), state: z.string().optional() })
  .extend({ payer: agreementToken.shape.payer })

export type AgreementToken = z.infer<typeof agreementToken>
export type NewAgreementToken = z.infer<typeof newAgreementToken>
export type Agreement = z.infer<typeof agreement>
