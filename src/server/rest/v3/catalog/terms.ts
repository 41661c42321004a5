import { flatTerms, treeTerms } from './term-resource.ts'

/** `wc/v3/products/categories`, `brands`, `tags` and `shipping_classes`. */
export const v3TermCalls = [
  ...treeTerms('categories', 'product category'),
  ...treeTerms('brands', 'product brand'),
  ...flatTerms('tags', 'product tag'),
  ...flatTerms('shipping_classes', 'shipping class'),
]
