import type { CatalogChange } from '#shop/catalog/cached-catalog.ts'

/**
 * Lists the cache tags of pages. A change names the same tags: this process evicts its pages by them, and a CDN purges
 * by them. They contain no spaces or commas, so every CDN accepts them.
 */
export const pageTags = {
  /** Every page that a CDN may keep. This process evicts its own pages without it. */
  page: 'page',
  /** Pages that depend on the set of products: home, shop, tags, searches, the sitemap. */
  catalog: 'catalog',
  product: (id: number) => `product-${id}`,
  /** The listing of a category, and products that link to other products of it. */
  category: (slug: string) => `category-${encodeURIComponent(slug)}`,
  language: (tag: string) => `language-${tag}`,
} as const

export function tagsOfChange({ products, categories }: NonNullable<CatalogChange>): string[] {
  if (products.length + categories.length === 0) return []
  return [pageTags.catalog, ...products.map(pageTags.product), ...categories.map(pageTags.category)]
}
