import type { Money } from '#domain/money/money.ts'
import type { ShippingRate } from '#domain/shipping/shipping-rates.ts'
import type { TaxPlace } from '#domain/tax/tax-rate.ts'

/** One package of a cart with its shipping rates. */
export type QuotedPackage = {
  readonly index: number
  readonly destination: TaxPlace
  /** Keys of its lines. */
  readonly contents: readonly string[]
  readonly rates: readonly QuotedRate[]
  readonly chosen: QuotedRate | null
}

/** `tax` is added to the cost if this rate is chosen. */
export type QuotedRate = ShippingRate & { readonly tax: Money }
