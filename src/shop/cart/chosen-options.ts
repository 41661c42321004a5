import type { CartProduct } from '#database/cart/cart-products.ts'
import type { CartLine } from '../customers/sessions/session-state.ts'

/** Chosen option of an attribute: localized label and value, and the language-independent slug. */
export type Choice = { readonly slug: string; readonly label: string; readonly value: string }

/** Returns the chosen options of a product, in the order of its attributes. */
export function choicesOf(product: CartProduct, line: CartLine): Choice[] {
  return product.attributes
    .filter(({ forVariations }) => forVariations)
    .flatMap(({ slug, label, options }) => {
      const value = product.chosen[slug] || line.attributes[slug]
      if (!value) return []
      return { slug, label, value: options.find((option) => option.value === value)?.label ?? value }
    })
}
