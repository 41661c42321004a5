/** How an order travels: nothing to ship, or the rate of each parcel (`flat_rate:2`), null where none is chosen yet. */
export type Transport = { readonly needsShipping: boolean; readonly rates: readonly (string | null)[] }

/**
 * Whether a way to pay goes with how an order travels. A method that names kinds of shipping (`flat_rate`) or single ones
 * (`flat_rate:2`) needs one of them for every parcel; a parcel without a choice yet stands in nobody's way.
 */
export function paysForShipping(
  method: { readonly shippingMethods: readonly string[]; readonly withoutShipping: boolean },
  { needsShipping, rates }: Transport,
): boolean {
  if (!needsShipping) return method.withoutShipping
  if (method.shippingMethods.length === 0) return true
  return rates.every(
    (rate) =>
      rate === null ||
      method.shippingMethods.includes(rate) ||
      method.shippingMethods.includes(rate.split(':')[0] ?? ''),
  )
}
