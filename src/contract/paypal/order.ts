import { z } from 'zod'
import { type Amount, amount } from './amount.ts'
import { authorization, capture, refund } from './capture.ts'

const address = z.object({
  address_line_1: z.string().optional(),
  address_line_2: z.string().optional(),
  admin_area_2: z.string().optional(),
  admin_area_1: z.string().optional(),
  postal_code: z.string().optional(),
  country_code: z.string(),
})

export type ProviderAddress = z.infer<typeof address>

const payerName = z.object({ given_name: z.string().optional(), surname: z.string().optional() })

const payer = z.object({
  name: payerName.optional(),
  email_address: z.string().optional(),
  payer_id: z.string().optional(),
  phone: z.object({ phone_number: z.object({ national_number: z.string().optional() }).optional() }).optional(),
  address: address.partial().optional(),
})

const link = z.object({ href: z.string(), rel: z.string(), method: z.string().optional() })

const purchaseUnit = z.object({
  reference_id: z.string().optional(),
  custom_id: z.string().optional(),
  invoice_id: z.string().optional(),
  amount: amount.optional(),
  payee: z.object({ email_address: z.string().optional(), merchant_id: z.string().optional() }).optional(),
  shipping: z
    .object({
      name: z.object({ full_name: z.string().optional() }).optional(),
      address: address.partial().optional(),
      options: z
        .array(
          z.object({ id: z.string(), label: z.string().optional(), selected: z.boolean(), amount: amount.optional() }),
        )
        .optional(),
    })
    .optional(),
  payments: z
    .object({
      captures: z.array(capture).optional(),
      authorizations: z.array(authorization).optional(),
      refunds: z.array(refund).optional(),
    })
    .optional(),
})

/** Vault result of a payment source: `APPROVED` means that its token comes later, by a webhook. */
const kept = z.object({
  vault: z
    .object({
      id: z.string().optional(),
      status: z.string().optional(),
      customer: z.object({ id: z.string().optional() }).optional(),
    })
    .optional(),
})

const walletSource = z.object({
  email_address: z.string().optional(),
  account_id: z.string().optional(),
  name: payerName.optional(),
  phone_number: z.object({ national_number: z.string().optional() }).optional(),
  address: address.partial().optional(),
  attributes: kept.optional(),
})

/** 3D Secure result of the bank; absent without authentication. */
const authenticationResult = z.object({
  liability_shift: z.string().optional(),
  three_d_secure: z
    .object({ enrollment_status: z.string().optional(), authentication_status: z.string().optional() })
    .optional(),
})

export type AuthenticationResult = z.infer<typeof authenticationResult>

const cardSource = z.object({
  name: z.string().optional(),
  brand: z.string().optional(),
  last_digits: z.string().optional(),
  expiry: z.string().optional(),
  authentication_result: authenticationResult.optional(),
  attributes: kept.optional(),
})

/** Wallet order, as PayPal returns it. Minimal responses have id, status and links only. */
export const walletOrder = z.object({
  id: z.string().regex(/^[A-Z0-9]{1,36}$/),
  status: z.enum(['CREATED', 'SAVED', 'APPROVED', 'VOIDED', 'COMPLETED', 'PAYER_ACTION_REQUIRED']),
  intent: z.enum(['CAPTURE', 'AUTHORIZE']).optional(),
  payer: payer.optional(),
  payment_source: z
    .object({ paypal: walletSource.optional(), venmo: walletSource.optional(), card: cardSource.optional() })
    .optional(),
  purchase_units: z.array(purchaseUnit).optional(),
  links: z.array(link).optional(),
  create_time: z.string().optional(),
  update_time: z.string().optional(),
})

export type WalletOrder = z.infer<typeof walletOrder>

/** Returns the approval URL: `payer-action` when a wallet was named at creation, else `approve`. */
export function approveUrl(order: WalletOrder): string | undefined {
  return order.links?.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href
}

/** Request body that creates an order. Without a source the card fields in the browser add it. */
export type OrderBody = {
  intent: 'CAPTURE' | 'AUTHORIZE'
  purchase_units: readonly PurchaseUnitBody[]
  payment_source?: OrderSourceBody
}

export type OrderSourceBody =
  | { paypal: WalletSourceBody }
  | { venmo: WalletSourceBody }
  | { paypal: { vault_id: string; stored_credential?: StoredCredential } }
  | { card: CardSourceBody }
  | { token: { id: string; type: 'BILLING_AGREEMENT' } }

export type WalletSourceBody = {
  experience_context: ExperienceBody
  attributes?: VaultBody & { customer?: { id: string } }
}

export type ExperienceBody = {
  brand_name: string
  locale?: string
  shipping_preference: ShippingPreference
  user_action: 'CONTINUE' | 'PAY_NOW'
  landing_page?: 'NO_PREFERENCE' | 'LOGIN' | 'GUEST_CHECKOUT'
  payment_method_preference?: 'UNRESTRICTED' | 'IMMEDIATE_PAYMENT_REQUIRED'
  return_url: string
  cancel_url: string
  /** PayPal calls the shop when the buyer changes address or shipping option. */
  order_update_callback_config?: {
    callback_url: string
    callback_events: readonly ('SHIPPING_ADDRESS' | 'SHIPPING_OPTIONS')[]
  }
}

/** Save the payment source after a successful payment. */
type VaultBody = {
  vault?: {
    store_in_vault: 'ON_SUCCESS'
    usage_type?: 'MERCHANT'
    customer_type?: 'CONSUMER'
    permit_multiple_payment_tokens?: boolean
  }
}

export type CardSourceBody = {
  vault_id?: string
  /** Single-use token of accelerated checkout. */
  single_use_token?: string
  billing_address?: ProviderAddress
  stored_credential?: StoredCredential
  attributes?: VaultBody & {
    customer?: { id: string }
    verification?: { method: 'SCA_WHEN_REQUIRED' | 'SCA_ALWAYS' }
  }
  experience_context?: { return_url: string; cancel_url: string }
}

export type StoredCredential = {
  payment_initiator: 'CUSTOMER' | 'MERCHANT'
  payment_type: 'ONE_TIME' | 'RECURRING' | 'UNSCHEDULED'
  usage: 'FIRST' | 'SUBSEQUENT' | 'DERIVED'
}

/** The buyer chooses an address in the wallet, must use ours, or gives none. */
export type ShippingPreference = 'GET_FROM_FILE' | 'SET_PROVIDED_ADDRESS' | 'NO_SHIPPING'

export type PurchaseUnitBody = {
  reference_id: string
  custom_id: string
  invoice_id: string
  description: string
  amount: Amount & { breakdown?: AmountBreakdown }
  items?: readonly ItemBody[]
  shipping?: {
    name?: { full_name: string }
    address?: ProviderAddress
    /** At most ten, exactly one of them selected; its amount is the breakdown's `shipping`. */
    options?: readonly ShippingOptionBody[]
  }
}

export type ShippingOptionBody = {
  id: string
  label: string
  type: 'SHIPPING' | 'PICKUP'
  selected: boolean
  amount: Amount
}

export type AmountBreakdown = {
  item_total: Amount
  shipping?: Amount
  tax_total?: Amount
  handling?: Amount
  discount?: Amount
}

export type ItemBody = {
  name: string
  sku?: string
  quantity: string
  unit_amount: Amount
  category: 'PHYSICAL_GOODS' | 'DIGITAL_GOODS'
}

/** One step of a JSON Patch list. */
export type PatchOperation = { op: 'add' | 'replace'; path: string; value: unknown } | { op: 'remove'; path: string }
