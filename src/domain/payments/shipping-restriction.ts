/** Shipping of an order: none, or the rate of each package (`flat_rate:2`), null before the choice. */
export type Transport = { readonly needsShipping: boolean; readonly rates: readonly (string | null)[] }

/**
 * Reports whether a payment method is available for an order's shipping. A method restricted to kinds (`flat_rate`) or
 * instances (`flat_rate:2`) requires one of them for every package; a package without a choice restricts nothing.
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
