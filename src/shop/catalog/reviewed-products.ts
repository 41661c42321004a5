import type { ImportedReview, ReviewColumn } from '#contract/catalog/reviews-csv.ts'
import type { findNamedProducts, NamedProduct } from '#database/catalog/imported-reviews.ts'
import { plainName, plainSlug } from '../import/migration/cell-text.ts'

type Names = Parameters<typeof findNamedProducts>[1]

/** Returns all names by which reviews of a file refer to products. IDs are ours only in a file of this shop. */
export function namesIn(reviews: readonly ImportedReview[], shopMark: string): Names {
  const own = reviews.filter((review) => review.shopMark === shopMark)
  const texts = (of: (review: ImportedReview) => string) => [...new Set(reviews.map(of))].filter((text) => text !== '')
  const ids = (some: readonly ImportedReview[]) => [...new Set(some.flatMap(({ product }) => product.id ?? []))]
  return {
    skus: texts(({ product }) => product.sku),
    slugs: texts(({ product }) => plainSlug(product.handle)),
    ids: ids(own),
    importedIds: ids(reviews),
    // Names are not unique: they are the last resort.
    titles: texts(({ product: { sku, handle, id, title } }) =>
      sku === '' && handle === '' && id === null ? plainName(title) : '',
    ),
  }
}

/**
 * Finds the product of a review: in a file of this shop by ID, then by SKU, by slug, by the ID of the other shop, and, if
 * the file has none of them, by name. A SKU of a variation means its product.
 */
export function namedProduct(
  { product: { sku, handle, id, title }, shopMark: mark }: ImportedReview,
  products: readonly NamedProduct[],
  shopMark: string,
): { readonly id: number } | { readonly column: ReviewColumn; readonly value: string; readonly problem: string } {
  const isOwn = mark === shopMark
  const hasOther = sku !== '' || handle !== '' || id !== null
  const ways: readonly [ReviewColumn, string, (product: NamedProduct) => boolean][] = [
    ['productId', isOwn && id !== null ? String(id) : '', (product) => product.id === id],
    ['sku', sku, (product) => product.sku === sku.toLowerCase()],
    ['handle', handle, (product) => product.slug === plainSlug(handle) && product.id === product.product_id],
    ['productId', id === null ? '' : String(id), (product) => product.imported_id === id],
    ['productTitle', hasOther ? '' : title, (product) => product.name === plainName(title).toLowerCase()],
  ]
  const tried = ways.filter(([, value]) => value !== '')
  for (const [column, value, matches] of tried) {
    const found = new Set(products.filter(matches).map(({ product_id: product }) => product))
    const [first] = found
    if (found.size > 1) return { column, value, problem: 'means several products here' }
    if (first !== undefined) return { id: first }
  }
  const [column, value] = tried[0] ?? ['productId' as const, '']
  return { column, value, problem: 'is no product here' }
}
