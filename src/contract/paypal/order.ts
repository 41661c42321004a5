import { z } from 'zod'
import { type Amount, amount } from './amount.ts'
import { authorization, capture } from './capture.ts'

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
    })
    .optional(),
  payments: z
    .object({ captures: z.array(capture).optional(), authorizations: z.array(authorization).optional() })
    .optional(),
})

/** A wallet order as the provider shows it. Minimal answers carry id, status and links only. */
export const walletOrder = z.object({
  id: z.string().regex(/^[A-Z0-9]{1,36}$/),
  status: z.enum(['CREATED', 'SAVED', 'APPROVED', 'VOIDED', 'COMPLETED', 'PAYER_ACTION_REQUIRED']),
  intent: z.enum(['CAPTURE', 'AUTHORIZE']).optional(),
  payer: payer.optional(),
  payment_source: z
    .object({
      paypal: z
        .object({
          email_address: z.string().optional(),
          account_id: z.string().optional(),
          name: payerName.optional(),
          address: address.partial().optional(),
        })
        .optional(),
    })
    .optional(),
  purchase_units: z.array(purchaseUnit).optional(),
  links: z.array(link).optional(),
  create_time: z.string().optional(),
  update_time: z.string().optional(),
})

export type WalletOrder = z.infer<typeof walletOrder>

/** Where the buyer approves: `payer-action` when a wallet was named at creation, else `approve`. */
export function approveUrl(order: WalletOrder): string | undefined {
  return order.links?.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href
}

/** What the shop sends to create an order. */
export type OrderBody = {
  intent: 'CAPTURE' | 'AUTHORIZE'
  purchase_units: readonly PurchaseUnitBody[]
  payment_source: {
    paypal: {
      experience_context: {
        brand_name: string
        locale?: string
        shipping_preference: ShippingPreference
        user_action: 'CONTINUE' | 'PAY_NOW'
        landing_page?: 'NO_PREFERENCE' | 'LOGIN' | 'GUEST_CHECKOUT'
        payment_method_preference?: 'UNRESTRICTED' | 'IMMEDIATE_PAYMENT_REQUIRED'
        return_url: string
        cancel_url: string
      }
    }
  }
}

/** The buyer picks an address in the wallet, must use ours, or gives none. */
export type ShippingPreference = 'GET_FROM_FILE' | 'SET_PROVIDED_ADDRESS' | 'NO_SHIPPING'

export type PurchaseUnitBody = {
  reference_id: string
  custom_id: string
  invoice_id: string
  description: string
  amount: Amount & { breakdown?: AmountBreakdown }
  items?: readonly ItemBody[]
  shipping?: { name?: { full_name: string }; address: ProviderAddress }
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
