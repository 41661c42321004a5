import type { CartLine } from '../customers/sessions/session-state.ts'
import type { FiguresByMethod } from '../payments/operation/figures-by-method.ts'
import type { Choice } from './chosen-options.ts'

/** Names in the merchant's language, where the cart is localized: emails to the shop use them. */
export type OwnWords = {
  readonly name: string
  readonly choices?: readonly { label: string; value: string }[]
}

/** Share of a tax by rate, in minor units; `subtotal`: before discounts, which only products have. */
export type TaxShare = { readonly rateId: number; readonly total: number; readonly subtotal?: number }

/** A cart line with its calculated figures, in minor units. */
export type QuotedLine = {
  readonly line: CartLine
  readonly name: string
  readonly sku: string
  readonly choices: readonly Choice[]
  readonly own?: OwnWords
  readonly virtual: boolean
  readonly downloadable: boolean
  /** Product whose stock the line reduces; null when stock is not managed. */
  readonly stockOwner: number | null
  /** Before discount, and the paid amount; both without tax. */
  readonly subtotal: number
  readonly subtotalTax: number
  readonly total: number
  readonly totalTax: number
  /** Shares of the tax, where the order may have several rates. */
  readonly taxes?: readonly TaxShare[]
}

/** Exchange rate of a cart in another currency than the shop's own, with the converted total. */
export type ExchangedTotal = {
  /** Units of the cart's currency for one of the shop's own, with the fee; an exact decimal. */
  readonly rate: string
  /** The shop's own currency. */
  readonly base: string
  /** Minor units of `base`. */
  readonly baseTotal: number
}

/** Calculated prices, shipping and faults of a cart, at one moment. */
export type Quote = {
  readonly currency: string
  /** Conversion to the shop's own currency, where it differs; else null. */
  readonly exchanged: ExchangedTotal | null
  readonly pricesIncludeTax: boolean
  readonly lines: readonly QuotedLine[]
  /** Discount of each coupon, in parts that add up with the lines; `reported` as in the order record. */
  readonly coupons: readonly {
    id: number
    code: string
    discount: number
    discountTax: number
    reported: { discount: number; discountTax: number }
  }[]
  /** One for each package with a chosen rate; `contents` are the keys of its lines. */
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
    /** Only in a program's order, whose fees follow no rule of the shop. */
    taxClass?: string
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
  /** As in the order record (`SettledTotals.reported`); the discount on the lines can differ by a cent. */
  readonly discountTotal: number
  readonly discountTax: number
  readonly shippingTotal: number
  readonly shippingTax: number
  readonly feesTotal: number
  readonly cartTax: number
  readonly totalTax: number
  readonly total: number
  /** Figures by payment method, for an order that is paid by another one later; null where all are equal. */
  readonly byMethod: FiguresByMethod | null
  /** Changes when a line or the total changes. */
  readonly hash: string
}
