import type { ProductCardFacts } from '#shop/catalog/catalog-facts.ts'
import { classNames } from '../shared/class-names.ts'

/** Returns the classes that themes and scripts expect on a product's element, in a list and on its own page. */
export function productClasses(product: ProductCardFacts, row?: { column: number; columns: number }): string {
  return classNames(
    'product type-product',
    `post-${product.id}`,
    'status-publish',
    row?.column === 0 && 'first',
    row && row.column === row.columns - 1 && 'last',
    product.stock,
    ...product.categories.map((category) => `product_cat-${category.slug}`),
    ...product.tags.map((tag) => `product_tag-${tag.slug}`),
    product.image && 'has-post-thumbnail',
    product.onSale && 'sale',
    product.featured && 'featured',
    product.downloadable && 'downloadable',
    product.virtual && 'virtual',
    product.soldIndividually && 'sold-individually',
    product.taxable && 'taxable shipping-taxable',
    product.purchasable && 'purchasable',
    product.hasDefaultAttributes && 'has-default-attributes',
    `product-type-${product.type}`,
  )
}
