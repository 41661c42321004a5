import type { CartProduct } from '#database/cart/cart-products.ts'
import type { CartLine } from '../customers/sessions/session-state.ts'

/** What was chosen of one attribute: its label and the option's as they are said, and its slug, the same in every language. */
export type Choice = { readonly slug: string; readonly label: string; readonly value: string }

/** What was chosen of a product with options, in the order of its attributes. */
export function choicesOf(product: CartProduct, line: CartLine): Choice[] {
  return product.attributes
    .filter(({ forVariations }) => forVariations)
    .flatMap(({ slug, label, options }) => {
      const value = product.chosen[slug] || line.attributes[slug]
      if (!value) return []
      return { slug, label, value: options.find((option) => option.value === value)?.label ?? value }
    })
}
