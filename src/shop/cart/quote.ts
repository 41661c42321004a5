import type { CartLine } from '../customers/sessions/session-state.ts'
import type { FiguresByMethod } from '../payments/operation/figures-by-method.ts'
import type { Choice } from './chosen-options.ts'

/** What the merchant wrote, where a cart is said in another language than theirs: it is what messages to the shop say. */
export type OwnWords = {
  readonly name: string
  readonly choices?: readonly { label: string; value: string }[]
}

/** What of a tax is by one rate, in whole minor units; `subtotal`: before discounts, which only products have. */
export type TaxShare = { readonly rateId: number; readonly total: number; readonly subtotal?: number }

/** A line of a cart with everything that was worked out about it. Figures are whole minor units. */
export type QuotedLine = {
  readonly line: CartLine
  readonly name: string
  readonly sku: string
  readonly choices: readonly Choice[]
  readonly own?: OwnWords
  readonly virtual: boolean
  readonly downloadable: boolean
  /** The product whose stock the line takes from; null when stock is not managed. */
  readonly stockOwner: number | null
  /** Before discount, and what is paid; both without tax. */
  readonly subtotal: number
  readonly subtotalTax: number
  readonly total: number
  readonly totalTax: number
  /** Of the tax, where the order may have several rates. */
  readonly taxes?: readonly TaxShare[]
}

/** The rate by which a cart was worked out in another currency than the shop's own, and what its total is in that. */
export type ExchangedTotal = {
  /** Units of the cart's currency for one of the shop's own, with the fee; an exact decimal. */
  readonly rate: string
  /** The shop's own currency. */
  readonly base: string
  /** Minor units of it. */
  readonly baseTotal: number
}

/** What a cart costs, where it goes and what stands in its way, at one moment. */
export type Quote = {
  readonly currency: string
  /** What that is in the shop's own currency, where it is another one; else null. */
  readonly exchanged: ExchangedTotal | null
  readonly pricesIncludeTax: boolean
  readonly lines: readonly QuotedLine[]
  /** What each takes off, in parts that add up with the lines; `reported` as an order record states it. */
  readonly coupons: readonly {
    id: number
    code: string
    discount: number
    discountTax: number
    reported: { discount: number; discountTax: number }
  }[]
  /** One for each parcel that a way was chosen for; `contents` are the keys of its lines. */
  readonly shipping: readonly {
    rateId: string
    label: string
    own?: OwnWords
    cost: number
    tax: number
    taxes?: readonly TaxShare[]
    contents: readonly string[]
  }[]
  readonly fees: readonly {
    name: string
    own?: OwnWords
    amount: number
    tax: number
    taxes?: readonly TaxShare[]
  }[]
  readonly taxes: readonly {
    rateId: number
    code: string
    label: string
    own?: OwnWords
    ratePpm: number
    compound: boolean
    items: number
    shipping: number
  }[]
  readonly needsShipping: boolean
  /** As an order record reports it (`SettledTotals.reported`); what the lines became cheaper by can be a cent more or less. */
  readonly discountTotal: number
  readonly discountTax: number
  readonly shippingTotal: number
  readonly shippingTax: number
  readonly feesTotal: number
  readonly cartTax: number
  readonly totalTax: number
  readonly total: number
  /** The same with each way to pay, for an order that is paid another way later; null where each costs the same. */
  readonly byMethod: FiguresByMethod | null
  /** Changes when a line or the total changes. */
  readonly hash: string
}
