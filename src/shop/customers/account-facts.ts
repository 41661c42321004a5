import type { CustomerRole } from '#database/engine/schema/visitors.ts'
import type { Money } from '#domain/money/money.ts'
import type { FieldFacts, OrderFacts } from '../checkout/checkout-facts.ts'

/** Facts about the customer for the account pages. */
export type CustomerFacts = {
  firstName: string
  lastName: string
  displayName: string
  username: string
  email: string
  /** The link emailed to the address was followed. */
  emailConfirmed: boolean
  /** An address that becomes the customer's once it is verified. */
  emailWanted: string | null
  /** The customer's permissions in this shop; staff pages call `requireRole`. */
  role: CustomerRole
  /** As written on a parcel; empty: none is stored. */
  billing: readonly string[]
  shipping: readonly string[]
}

/** One order in the customer's list. */
export type OrderRowFacts = {
  id: number
  number: string
  status: string
  createdAt: Date
  total: Money
  pieces: number
  viewUrl: string
  /** Null: nothing is due. */
  payUrl: string | null
  /** Null: it can no longer be cancelled. */
  cancelUrl: string | null
}

export type OrderListFacts = { orders: readonly OrderRowFacts[]; page: number; pageCount: number }

export type ViewOrderFacts = {
  order: OrderFacts
  payUrl: string | null
  cancelUrl: string | null
  /** Null: it is not completed. */
  againUrl: string | null
  /** The shop's notes to the customer, oldest first. */
  notes: readonly { at: Date; note: string }[]
}

export type AddressFormFacts = { kind: 'billing' | 'shipping'; fields: readonly FieldFacts[] }

/** A saved payment method. */
export type SavedMethodFacts = {
  id: number
  kind: 'card' | 'wallet'
  /** `visa`, `mastercard`, …; '' for a wallet. */
  brand: string
  last4: string
  /** The email address of a wallet. */
  account: string
  /** Expiry month of a card, as `2027-04`; '' if it does not expire. */
  expires: string
  expired: boolean
  isDefault: boolean
  deleteUrl: string
  /** Null: it is the default. */
  defaultUrl: string | null
}

/** A login of the customer. */
export type LoginFacts = {
  /** Reference in forms; it grants no access. */
  ref: string
  /** Browser and system as sent by the browser, for instance `Firefox`, `Linux`; '' unknown. */
  browser: string
  system: string
  since: Date
  lastSeen: Date
  /** The device of this request. */
  isThis: boolean
}
