/** Buttons that stand outside a product's form send it by this id. */
export function formId(product: { readonly id: number }): string {
  return `product-form-${product.id}`
}
