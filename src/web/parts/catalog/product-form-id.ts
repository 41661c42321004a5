/** Returns the id of a product's form, for buttons outside of it. */
export function formId(product: { readonly id: number }): string {
  return `product-form-${product.id}`
}
