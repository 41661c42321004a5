import { choicesOf } from './choices-of.ts'
import type { CartEntry } from './quote-cart.ts'

/** A line as it is spoken of: the product, and what was chosen of it, by which two lines of one product are told apart. */
export function lineName({ line, product }: Pick<CartEntry, 'line' | 'product'>): string {
  const chosen = choicesOf(product, line).map(({ value }) => value)
  return chosen.length === 0 ? product.name : `${product.name} (${chosen.join(', ')})`
}
