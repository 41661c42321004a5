import type { Money } from '#domain/money/money.ts'
import type { ShippingRate } from '#domain/shipping/shipping-rates.ts'
import type { TaxPlace } from '#domain/tax/tax-rate.ts'

/** One package of a cart with what its transport may cost. */
export type QuotedPackage = {
  readonly index: number
  readonly destination: TaxPlace
  /** The lines in it, by key. */
  readonly contents: readonly string[]
  readonly rates: readonly QuotedRate[]
  readonly chosen: QuotedRate | null
}

/** `tax` comes on top of the cost, as it would if this rate were chosen. */
export type QuotedRate = ShippingRate & { readonly tax: Money }
