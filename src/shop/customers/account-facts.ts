import type { CustomerRole } from '#database/engine/schema/visitors.ts'
import type { Money } from '#domain/money/money.ts'
import type { FieldFacts, OrderFacts } from '../checkout/checkout-facts.ts'

/** What the pages of an account know of the customer. */
export type CustomerFacts = {
  firstName: string
  lastName: string
  displayName: string
  username: string
  email: string
  /** Somebody has followed a link that was mailed there. */
  emailConfirmed: boolean
  /** Another one that is to be the customer's once it is confirmed. */
  emailWanted: string | null
  /** What the customer may do in this shop; the pages of staff ask `requireRole`. */
  role: CustomerRole
  /** As written on a parcel; empty: none is kept. */
  billing: readonly string[]
  shipping: readonly string[]
}

/** One order in the list of a customer's orders. */
export type OrderRowFacts = {
  id: number
  number: string
  status: string
  createdAt: Date
  total: Money
  pieces: number
  viewUrl: string
  /** Null: nothing is to be paid. */
  payUrl: string | null
  /** Null: it can no longer be taken back. */
  cancelUrl: string | null
}

export type OrderListFacts = { orders: readonly OrderRowFacts[]; page: number; pageCount: number }

export type ViewOrderFacts = {
  order: OrderFacts
  payUrl: string | null
  cancelUrl: string | null
  /** Null: it is not finished. */
  againUrl: string | null
  /** What the shop has told the customer about it, oldest first. */
  notes: readonly { at: Date; note: string }[]
}

export type AddressFormFacts = { kind: 'billing' | 'shipping'; fields: readonly FieldFacts[] }

/** A way to pay that is kept for the next time. */
export type SavedMethodFacts = {
  id: number
  kind: 'card' | 'wallet'
  /** `visa`, `mastercard`, …; '' for a wallet. */
  brand: string
  last4: string
  /** The address that a wallet belongs to. */
  account: string
  /** A card's last month, as `2027-04`; '' where nothing expires. */
  expires: string
  expired: boolean
  isDefault: boolean
  deleteUrl: string
  /** Null: it is the default. */
  defaultUrl: string | null
}

/** Where the customer is logged in. */
export type LoginFacts = {
  /** By which a form names it; it opens nothing. */
  ref: string
  /** The browser and its system as far as the browser told, for instance `Firefox`, `Linux`; '' unknown. */
  browser: string
  system: string
  since: Date
  lastSeen: Date
  /** The device that asks. */
  isThis: boolean
}
