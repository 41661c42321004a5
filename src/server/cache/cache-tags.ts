import type { CatalogChange } from '#shop/catalog/cached-catalog.ts'

/**
 * What a page shows, in words that a change names too: pages in this process are forgotten by them, and a cache in front of the
 * shop purges by them. They are letters that every such cache takes, without spaces and commas.
 */
export const pageTags = {
  /** Every page that a cache in front may keep; this process's own are all let go of without it. */
  page: 'page',
  /** Whatever depends on which products there are at all: home, shop, tags, searches, the sitemap. */
  catalog: 'catalog',
  product: (id: number) => `product-${id}`,
  /** The listing of a category, and products that name others of it. */
  category: (slug: string) => `category-${encodeURIComponent(slug)}`,
  language: (tag: string) => `language-${tag}`,
} as const

export function tagsOfChange({ products, categories }: NonNullable<CatalogChange>): string[] {
  if (products.length + categories.length === 0) return []
  return [pageTags.catalog, ...products.map(pageTags.product), ...categories.map(pageTags.category)]
}
