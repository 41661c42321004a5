import type { CatalogTerms, CategoryRow, IndexRow } from '#database/catalog/index-rows.ts'
import type { IndexedProduct } from '#domain/catalog/product-index.ts'

/** Terms of every catalog; the numbers of the others follow. */
export const inCatalog = 0
export const inSearch = 1
export const isFeatured = 2
export const isOnSale = 3
export const stockTerms = { instock: 4, onbackorder: 5, outofstock: 6 } as const
const firstOther = 7

export type AttributeTerm = { readonly slug: string; readonly label: string; readonly term: number }
export type ShopAttribute = {
  readonly id: number
  /** Without `pa_`. */
  readonly slug: string
  readonly label: string
  readonly values: readonly AttributeTerm[]
}
/** A facet of named values: an attribute of the shop, or the brands. */
export type ValueFacet = Pick<ShopAttribute, 'slug' | 'values'> & {
  /** Null: the shop's own word for brands. */
  readonly label: string | null
}
export type TaxGroup = Pick<IndexRow, 'taxStatus' | 'taxClass'>

/** The terms by the numbers of the index. */
export type TermBook = {
  readonly count: number
  category(id: number): number | undefined
  tag(slug: string): { readonly name: string; readonly term: number } | undefined
  readonly tags: readonly { readonly id: number; readonly name: string; readonly slug: string; readonly term: number }[]
  readonly attributes: readonly ShopAttribute[]
  /**
   * Facets of listings: the attributes and, after them, the brands. An attribute with the slug of the brands has them
   * among its values.
   */
  readonly facets: readonly ValueFacet[]
  /** Returns the name of a term, or ''. */
  label(term: number): string
  /** Grows while products are read. */
  readonly taxGroups: readonly TaxGroup[]
  /** Returns the product in the form of the index. Null: it has a term that is newer than this book. */
  indexed(row: IndexRow): IndexedProduct | null
}

/** The slug of the brands among the facets: `filter_brand`. */
export const brandFacet = 'brand'

/** @param line from the top category to this one: a product of a category also belongs to all above it */
export function termBook(stored: CatalogTerms, line: (id: number) => readonly CategoryRow[]): TermBook {
  const labels: string[] = Array.from({ length: firstOther }, () => '')
  const numbered = (label: string) => labels.push(label) - 1
  const categories = new Map(stored.categories.map(({ id, name }) => [id, numbered(name)]))
  const lines = new Map(
    stored.categories.map(({ id }) => [id, line(id).flatMap((above) => categories.get(above.id) ?? [])]),
  )
  const tags = stored.tags.map(({ id, name, slug }) => ({ id, name, slug, term: numbered(name) }))
  const tagById = new Map(tags.map(({ id, term }) => [id, term]))
  const tagBySlug = new Map(tags.map((tag) => [tag.slug, tag]))
  const attributes = stored.attributes.map(({ id, slug, name, terms }) => ({
    id,
    slug,
    label: name,
    values: terms.map((term) => ({ slug: term.slug, label: term.name, term: numbered(term.name) })),
  }))
  const values = new Map(
    stored.attributes.map(({ id }, at) => [id, new Map(attributes[at]?.values.map(({ slug, term }) => [slug, term]))]),
  )
  const ownBrands = attributes.find(({ slug }) => slug === brandFacet)
  const ownValues = new Map(ownBrands?.values.map((value) => [value.slug, value]))
  const brands = stored.brands.map(({ id, parentId, name, slug }) => ({
    id,
    parentId,
    value: ownValues.get(slug) ?? { slug, label: name, term: numbered(name) },
  }))
  const brandById = new Map(brands.map((brand) => [brand.id, brand]))
  /** A product of a brand also belongs to all above it. Undefined: the brand is newer than this book. */
  function brandLine(id: number): readonly number[] | undefined {
    const brand = brandById.get(id)
    if (!brand) return undefined
    const above = brand.parentId === null ? [] : (brandLine(brand.parentId) ?? [])
    return [...above, brand.value.term]
  }
  const brandValues = [...new Set([...(ownBrands?.values ?? []), ...brands.map(({ value }) => value)])]
  const facets: readonly ValueFacet[] = ownBrands
    ? attributes.map((attribute) => (attribute === ownBrands ? { ...ownBrands, values: brandValues } : attribute))
    : brands.length > 0
      ? [...attributes, { slug: brandFacet, label: null, values: brandValues }]
      : attributes
  const taxGroups: TaxGroup[] = []
  const taxGroupNumbers = new Map<string, number>()

  function taxGroup({ taxStatus, taxClass }: TaxGroup): number {
    const key = `${taxStatus} ${taxClass}`
    const known = taxGroupNumbers.get(key)
    if (known !== undefined) return known
    taxGroupNumbers.set(key, taxGroups.length)
    return taxGroups.push({ taxStatus, taxClass }) - 1
  }

  function indexed(row: IndexRow): IndexedProduct | null {
    const filed = [
      ...row.categories.map((id) => lines.get(id)),
      ...row.tags.map((id) => tagById.get(id)),
      ...row.brands.map(brandLine),
      ...row.attributes.flatMap(({ id, values: slugs }) => slugs.map((slug) => values.get(id)?.get(slug))),
    ]
    if (filed.includes(undefined)) return null
    const terms = new Set(filed.flatMap((term) => term ?? []))
    if (row.visibility !== 'search') terms.add(inCatalog)
    if (row.visibility !== 'catalog') terms.add(inSearch)
    if (row.featured) terms.add(isFeatured)
    if (row.onSale) terms.add(isOnSale)
    terms.add(stockTerms[row.stock])
    return {
      id: row.id,
      mark: row.mark,
      lowest: row.minPrice,
      highest: row.maxPrice,
      taxGroup: taxGroup(row),
      createdMs: row.createdMs,
      sales: row.sales,
      rating: row.rating,
      ratings: row.ratings,
      terms: [...terms].sort((a, b) => a - b),
    }
  }
  return {
    count: labels.length,
    category: (id) => categories.get(id),
    tag: (slug) => tagBySlug.get(slug),
    tags,
    attributes,
    facets,
    label: (term) => labels[term] ?? '',
    taxGroups,
    indexed,
  }
}
