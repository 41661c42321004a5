import type { EvaluatedCart } from '../../cart/evaluated-cart.ts'

/**
 * Reports whether a cart without an amount due needs a payment method for later charges, like a free trial. The method
 * is saved instead of charged.
 */
export function needsSetupToken({ totals, entries }: Pick<EvaluatedCart, 'totals' | 'entries'>): boolean {
  return totals.total.minor === 0 && entries.some(({ product }) => product.keepsMethod)
}
