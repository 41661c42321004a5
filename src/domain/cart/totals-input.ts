import type { Coupon, CouponItem } from '../coupons/coupon.ts'
import type { CurrencyCode, Money } from '../money/money.ts'
import type { TaxRate } from '../tax/tax-rate.ts'

export type TotalsSwitches = {
  readonly taxesEnabled: boolean
  /** Line prices contain the tax of the shop's own place. Shipping and fees never do. */
  readonly pricesIncludeTax: boolean
  /** Nothing is rounded a line; taxes and net amounts are rounded once, in the total. */
  readonly roundAtSubtotal: boolean
  readonly vatExempt: boolean
  /** Prices with tax stay the same wherever the customer lives; the shop bears the difference. */
  readonly sameGrossEverywhere: boolean
  /** Each percent coupon works on what earlier coupons left. */
  readonly sequentialDiscounts: boolean
}

/** Rates by tax class (`''` is the standard class). A class without an entry is taxed with nothing. */
export type RatesByClass = Readonly<Record<string, readonly TaxRate[]>>

export type TotalsLine = CouponItem & {
  readonly unitPrice: Money
  /** Whole pieces, at least 1. */
  readonly quantity: number
  readonly taxable: boolean
  readonly taxClass: string
}

export type ItemsInput = {
  readonly currency: CurrencyCode
  readonly switches: TotalsSwitches
  readonly lines: readonly TotalsLine[]
  /** Already found valid; the order they stand in does not matter. */
  readonly coupons: readonly Coupon[]
  readonly rates: { readonly customer: RatesByClass; readonly base: RatesByClass }
}

/** What comes on top of the items once they are known. All of it is entered without tax. */
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
