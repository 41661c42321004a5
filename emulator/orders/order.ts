import type { AuthenticationResult } from '../vault/authentication.ts'
import type { Card } from '../vault/cards.ts'
import type { PaymentToken, Verification, WalletKind } from '../vault/vault.ts'
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
  /** Where the provider itself asks the shop when the buyer changes where or how it is sent. */
  callback?: { url: string; events: readonly ('SHIPPING_ADDRESS' | 'SHIPPING_OPTIONS')[] }
}

/** That what pays is kept when the payment has succeeded. */
export type Keeping = { customerId?: string; permitsMany: boolean }

/** What pays. */
export type PaymentSource =
  | { kind: 'none' }
  /** `vaultId`: kept by the merchant, so that nobody need approve. */
  | { kind: WalletKind; keeping?: Keeping; vaultId?: string }
  /** Without a card yet: the script's fields will hand it in. */
  | { kind: 'card'; card?: Card; verification?: Verification; keeping?: Keeping; vaultId?: string }
  /** An agreement from before there was a vault. */
  | { kind: 'agreement'; agreementId: string }

export type Order = {
  id: string
  intent: Intent
  status: OrderStatus
  units: PurchaseUnit[]
  source: PaymentSource
  experience: Experience
  /** Strong authentication as it ended, where it took place. */
  authentication?: AuthenticationResult
  /** What was kept with the payment. `later`: its token comes by a notification only. */
  kept?: { token: PaymentToken; later: boolean }
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
  trackers: Tracker[]
}

/** A parcel that the shop has reported. */
export type Tracker = {
  id: string
  captureId: string
  status: 'SHIPPED' | 'CANCELLED'
  notifyPayer: boolean
  items?: readonly TrackedItem[]
  createdMs: number
  updatedMs: number
}

export type TrackedItem = { name?: string; quantity?: string; sku?: string; url?: string; image_url?: string }

/** What a card's bank said to a payment. */
export type ProcessorAnswer = { responseCode: string; avsCode: string; cvvCode: string }

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
  processor?: ProcessorAnswer
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
  /** It was asked for anew: that is possible once. */
  reauthorized?: boolean
  /** Its time was over before it was collected. */
  expired?: boolean
  processor?: ProcessorAnswer
  customId?: string
  invoiceId?: string
  createdMs: number
  updatedMs: number
  expiresMs: number
}

export type Refund = {
  id: string
  status: 'COMPLETED' | 'PENDING' | 'FAILED'
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
