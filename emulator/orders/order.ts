import type { Buyer } from '../wallet/buyers.ts'
import type { Amount } from './amounts.ts'

export type Address = {
  address_line_1?: string
  address_line_2?: string
  admin_area_1?: string
  admin_area_2?: string
  postal_code?: string
  country_code: string
}

export type ShippingOption = { id: string; label: string; type?: string; amount?: Amount; selected: boolean }

export type Shipping = {
  name?: { full_name?: string }
  type?: string
  address?: Address
  options?: ShippingOption[]
}

export type Item = {
  name: string
  quantity: string
  unit_amount: Amount
  tax?: Amount
  sku?: string
  description?: string
  category?: string
}

export type Breakdown = Partial<
  Record<'item_total' | 'shipping' | 'handling' | 'tax_total' | 'insurance' | 'shipping_discount' | 'discount', Amount>
>

export type PurchaseUnit = {
  reference_id: string
  amount: Amount & { breakdown?: Breakdown }
  items?: Item[]
  shipping?: Shipping
  description?: string
  custom_id?: string
  invoice_id?: string
  soft_descriptor?: string
}

export type Intent = 'CAPTURE' | 'AUTHORIZE'
export type OrderStatus = 'CREATED' | 'SAVED' | 'APPROVED' | 'VOIDED' | 'COMPLETED' | 'PAYER_ACTION_REQUIRED'
export type ShippingPreference = 'GET_FROM_FILE' | 'NO_SHIPPING' | 'SET_PROVIDED_ADDRESS'

/** How the wallet's pages behave for this order, from `experience_context` or the older `application_context`. */
export type Experience = {
  brandName?: string
  locale?: string
  shippingPreference: ShippingPreference
  userAction: 'CONTINUE' | 'PAY_NOW'
  immediatePaymentRequired: boolean
  returnUrl?: string
  cancelUrl?: string
}

/** What pays. Further sources (cards, saved tokens) become further kinds. */
export type PaymentSource = { kind: 'none' } | { kind: 'paypal' }

export type Order = {
  id: string
  intent: Intent
  status: OrderStatus
  units: PurchaseUnit[]
  source: PaymentSource
  experience: Experience
  /** Who approved, or has logged in to do so. */
  buyer?: Buyer
  createdMs: number
  updatedMs: number
  approvedMs?: number
  /** The wallet refused at the last capture: the buyer must approve again, with other funds. */
  declined: boolean
  /** How often the wallet has refused this order. */
  declines: number
  /** A capture or authorisation that waits in a delayed call. */
  completing: boolean
  captureIds: string[]
  authorizationIds: string[]
}

export type CaptureStatus = 'COMPLETED' | 'DECLINED' | 'PENDING' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'FAILED'

export type Capture = {
  id: string
  orderId: string
  referenceId: string
  authorizationId?: string
  status: CaptureStatus
  reason?: 'ECHECK' | 'PENDING_REVIEW'
  size: bigint
  currency: string
  refunded: bigint
  refundIds: string[]
  final: boolean
  customId?: string
  invoiceId?: string
  createdMs: number
  updatedMs: number
}

export type Authorization = {
  id: string
  orderId: string
  referenceId: string
  status: 'CREATED' | 'CAPTURED' | 'PARTIALLY_CAPTURED' | 'DENIED' | 'VOIDED' | 'PENDING'
  size: bigint
  currency: string
  captured: bigint
  customId?: string
  invoiceId?: string
  createdMs: number
  updatedMs: number
  expiresMs: number
}

export type Refund = {
  id: string
  captureId: string
  orderId: string
  size: bigint
  currency: string
  customId?: string
  invoiceId?: string
  note?: string
  createdMs: number
  updatedMs: number
}
