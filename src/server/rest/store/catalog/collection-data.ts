import { type StoreCollectionRecord, storeCollection, storeCollectionInput } from '#contract/catalog/store-products.ts'
import { attributeTerms, brandMembers } from '#database/catalog/store-terms.ts'
import { type Bits, eachBit, hasBit } from '#domain/catalog/bit-set.ts'
import { numberOf, termCounts } from '#domain/catalog/product-index.ts'
import { priceSpans } from '#domain/catalog/product-prices.ts'
import { type Catalog, cachedCatalog } from '#shop/catalog/cached-catalog.ts'
import { stockTerms } from '#shop/catalog/catalog-terms.ts'
import { attributeSlug, filteredBits, starsOf } from '#shop/catalog/listing/store-listing.ts'
import { type DisplayPrice, displayPrices } from '#shop/catalog/read-product-prices.ts'
import { type StoreContext, storeCall } from '../shared/store-call.ts'
import { currencyMembers, minor } from '../shared/store-values.ts'

type Query = (typeof storeCollectionInput)['_output']

/** `products/collection-data`: counts for the filters of a list. */
export const storeCollectionCall = storeCall({
  name: 'products/collection-data',
  method: 'GET',
  summary: 'Count products for filters',
  tag: 'products',
  about: 'catalogue',
  input: storeCollectionInput,
  output: storeCollection,
  async answer({ visit, tools }, query) {
    const catalog = await cachedCatalog(tools)
    const display = displayPrices(tools)
    const found = await filteredBits(tools, catalog, query, display)
    const body: StoreCollectionRecord = {
      price_range: query.calculate_price_range ? await priceRange({ visit }, catalog, query, display) : null,
      attribute_counts:
        query.calculate_attribute_counts.length > 0 ? await attributeCounts({ tools }, catalog, query, display) : null,
      rating_counts: query.calculate_rating_counts ? ratingCounts(catalog, found) : null,
      stock_status_counts: query.calculate_stock_status_counts ? stockCounts(catalog, found) : null,
      taxonomy_counts:
        query.calculate_taxonomy_counts.length > 0 ? await taxonomyCounts({ tools }, catalog, query, found) : null,
    }
    return { body }
  },
})

/** Returns the range of displayed prices; price limits of the query do not count. */
async function priceRange(
  { visit }: Pick<StoreContext, 'visit'>,
  catalog: Catalog,
  query: Query,
  display: DisplayPrice,
): Promise<StoreCollectionRecord['price_range']> {
  const { min_price: _min, max_price: _max, ...others } = query
  const found = await filteredBits(visit.app.tools, catalog, others, display)
  const { taxGroups } = catalog.book
  const amounts = priceSpans(catalog.index, found, taxGroups.length).flatMap((span, group) => {
    const taxed = taxGroups[group]
    return span && taxed ? [display(span.from, taxed).minor, display(span.to, taxed).minor] : []
  })
  const shop = await visit.app.shop()
  const { currency } = display(0, { taxStatus: 'none', taxClass: '' })
  return {
    ...currencyMembers(shop, currency),
    min_price: minor(amounts.length > 0 ? Math.min(...amounts) : 0),
    max_price: minor(Math.max(0, ...amounts)),
  }
}

async function attributeCounts(
  { tools }: Pick<StoreContext, 'tools'>,
  catalog: Catalog,
  query: Query,
  display: DisplayPrice,
): Promise<{ term: number; count: number }[]> {
  const counted = await Promise.all(
    query.calculate_attribute_counts.map(async ({ taxonomy, query_type: type }) => {
      const slug = attributeSlug(taxonomy)
      const attribute = catalog.book.attributes.find((one) => one.slug === slug)
      if (!attribute) return []
      // With `or`, another value of the attribute would add products: its own filter does not count.
      const found = await filteredBits(tools, catalog, query, display, type === 'or' ? slug : undefined)
      const numbers = attribute.values.map(({ term }) => term)
      const counts = termCounts(catalog.index, found, numbers)
      const terms = (await attributeTerms(tools.db.sql, attribute.id)) ?? []
      return terms.flatMap(({ id, slug: value }) => {
        const number = attribute.values.find((one) => one.slug === value)?.term
        const count = number === undefined ? 0 : (counts[number] ?? 0)
        return count > 0 ? [{ term: id, count }] : []
      })
    }),
  )
  return counted.flat()
}

function ratingCounts(catalog: Catalog, found: Bits): { rating: number; count: number }[] {
  const counts = new Map<number, number>()
  eachBit(found, (nr) => {
    const stars = starsOf(catalog, nr)
    if (stars > 0) counts.set(stars, (counts.get(stars) ?? 0) + 1)
  })
  return [...counts].sort(([a], [b]) => a - b).map(([rating, count]) => ({ rating, count }))
}

function stockCounts({ index }: Catalog, found: Bits): { status: string; count: number }[] {
  const counts = termCounts(index, found, Object.values(stockTerms))
  return Object.entries(stockTerms).map(([status, term]) => ({ status, count: counts[term] ?? 0 }))
}

/** Counts of `product_cat`, `product_tag` and `product_brand`; other taxonomies have no terms. */
async function taxonomyCounts(
  { tools }: Pick<StoreContext, 'tools'>,
  catalog: Catalog,
  query: Query,
  found: Bits,
): Promise<{ term: number; count: number }[]> {
  const { index, tree, book } = catalog
  const wanted = new Set(query.calculate_taxonomy_counts)
  const named = [
    ...(wanted.has('product_cat') ? tree.all.map(({ id }) => ({ id, term: book.category(id) ?? -1 })) : []),
    ...(wanted.has('product_tag') ? book.tags.map(({ id, term }) => ({ id, term })) : []),
  ]
  const counts = termCounts(
    index,
    found,
    named.map(({ term }) => term),
  )
  const counted = named.map(({ id, term }) => ({ term: id, count: counts[term] ?? 0 }))
  const brands = wanted.has('product_brand') ? await brandCounts({ tools }, catalog, found) : []
  return [...counted, ...brands].filter(({ count }) => count > 0)
}

async function brandCounts({ tools }: Pick<StoreContext, 'tools'>, { index }: Catalog, found: Bits) {
  const brands = await brandMembers(tools.db.sql)
  return brands.map(({ id, productIds }) => ({
    term: id,
    count: productIds.filter((product) => {
      const nr = numberOf(index, product)
      return nr >= 0 && hasBit(found, nr)
    }).length,
  }))
}
