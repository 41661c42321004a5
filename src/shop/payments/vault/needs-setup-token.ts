import type { EvaluatedCart } from '../../cart/evaluated-cart.ts'

/**
 * Nothing is due, and something in the cart is bought only with a means that can be charged later: a free trial. The means
 * is saved instead of charged.
 */
export function needsSetupToken({ totals, entries }: Pick<EvaluatedCart, 'totals' | 'entries'>): boolean {
  return totals.total.minor === 0 && entries.some(({ product }) => product.keepsMethod)
}
