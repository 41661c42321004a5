export type TaxStatus = 'taxable' | 'shipping' | 'none'

/**
 * Returns the tax class of shipping, or null for untaxed. `inherit` follows the cart: a standard item makes it
 * standard, a single class makes it that one, several take the first in the shop's own order.
 * @param classOrder the shop's tax classes besides the standard one (`''`), in the merchant's order
 */
export function shippingTaxClass(
  setting: string,
  items: readonly { readonly taxStatus: TaxStatus; readonly taxClass: string }[],
  classOrder: readonly string[],
): string | null {
  if (setting !== 'inherit') return setting
  // A product with tax status "shipping" is itself untaxed, but its shipping is taxed.
  const classes = new Set(items.filter((item) => item.taxStatus !== 'none').map((item) => item.taxClass))
  if (classes.size === 0) return null
  if (classes.has('')) return ''
  const [only] = classes
  return classOrder.find((name) => classes.has(name)) ?? only ?? null
}
