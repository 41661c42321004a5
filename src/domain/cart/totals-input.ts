import type { Coupon, CouponItem } from '../coupons/coupon.ts'
import type { CurrencyCode, Money } from '../money/money.ts'
import type { TaxRate } from '../tax/tax-rate.ts'

export type TotalsSwitches = {
  readonly taxesEnabled: boolean
  /** Line prices include the tax of the shop's location. Shipping and fees never do. */
  readonly pricesIncludeTax: boolean
  /** Lines are not rounded; taxes and net amounts are rounded once, in the total. */
  readonly roundAtSubtotal: boolean
  readonly vatExempt: boolean
  /** Prices with tax are equal for every location of the customer; the shop bears the difference. */
  readonly sameGrossEverywhere: boolean
  /** Each percentage coupon applies to the rest after earlier coupons. */
  readonly sequentialDiscounts: boolean
}

/** Rates by tax class (`''` is the standard class). A class without an entry is not taxed. */
export type RatesByClass = Readonly<Record<string, readonly TaxRate[]>>

export type TotalsLine = CouponItem & {
  readonly unitPrice: Money
  /** Whole pieces, at least 1. */
  readonly quantity: number
  readonly taxable: boolean
  readonly taxClass: string
  /** Amounts that the merchant stated for this line; they replace the unit price. */
  readonly stated?: StatedAmounts
}

/**
 * Amounts of a whole line of an order that the merchant writes. `total` is the subtotal after the merchant's own
 * discount, and applies only without coupons: they discount the subtotal.
 */
export type StatedAmounts = {
  readonly subtotal: Money
  /** At most the subtotal. */
  readonly total: Money
  /** The amounts contain the customer's tax, whatever the shop's prices do. */
  readonly includesTax: boolean
}

export type ItemsInput = {
  readonly currency: CurrencyCode
  readonly switches: TotalsSwitches
  readonly lines: readonly TotalsLine[]
  /** Validated; their order does not matter. */
  readonly coupons: readonly Coupon[]
  readonly rates: { readonly customer: RatesByClass; readonly base: RatesByClass }
}

/** Shipping and fees, added to the items. All amounts are entered without tax. */
export type AddedInput = {
  readonly shipping: readonly {
    readonly id: string
    readonly label: string
    readonly cost: Money
    readonly taxable: boolean
  }[]
  /** See `shippingTaxClass`; null: shipping is untaxed. */
  readonly shippingTaxClass: string | null
  /** A negative amount is a rebate. */
  readonly fees: readonly {
    readonly name: string
    readonly amount: Money
    readonly taxable: boolean
    readonly taxClass: string
  }[]
}
