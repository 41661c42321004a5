import {
  type AttributeFilter,
  attributeParameter,
  categoryParameter,
  type ListingFilters,
  saleParameter,
  stockParameter,
} from '#contract/catalog/listing-query.ts'
import { type Bits, countBits } from '#domain/catalog/bit-set.ts'
import { type Clause, productsWith } from '#domain/catalog/product-index.ts'
import { keepPriced, type PriceRange } from '#domain/catalog/product-prices.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import type { Money } from '#domain/money/money.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import type { Catalog } from './cached-catalog.ts'
import { isOnSale, stockTerms, type TaxGroup, type TermBook } from './catalog-terms.ts'
import type { CatalogTree } from './catalog-tree.ts'
import type { DisplayPrice } from './read-product-prices.ts'

/** The filtered products of a list, and the sets to count with fewer filters. */
export type Narrowing = {
  /** The given filters that exist in this catalog. */
  readonly filters: ListingFilters
  attribute(slug: string): AttributeFilter
  readonly price: { readonly from: Money | null; readonly to: Money | null }
  readonly found: Bits
  readonly count: number
  /** True if the facet has a choice, and another of its options would add products. */
  widens(facet: string): boolean
  /** The products that match all other facets. */
  without(facet: string): Bits
}

/** Removes filters that do not exist in this catalog, so that invented URLs cannot duplicate a page. */
export function knownFilters(
  { book, tree }: Pick<Catalog, 'book' | 'tree'>,
  given: ListingFilters,
  currency: string,
): ListingFilters {
  const wanted = new Map(Object.entries(given.attributes))
  const attributes = book.facets.flatMap(({ slug, values }) => {
    const filter = wanted.get(slug)
    const known = filter?.values.filter((value) => values.some((has) => has.slug === value)) ?? []
    return filter && known.length > 0 ? [[slug, { values: known, all: filter.all && known.length > 1 }] as const] : []
  })
  return {
    ...given,
    attributes: Object.fromEntries(attributes),
    categories: given.categories.filter((slug) => tree.bySlug(slug) !== undefined),
    minPrice: priceIn(currency, given.minPrice) && given.minPrice,
    maxPrice: priceIn(currency, given.maxPrice) && given.maxPrice,
  }
}

/**
 * @param place the conditions of every product, regardless of filters @param among the products of a search; default:
 * all
 */
export function narrow(
  catalog: Catalog,
  given: ListingFilters,
  display: DisplayPrice,
  place: readonly Clause[],
  among?: Bits,
): Narrowing {
  const { index, book, tree } = catalog
  const { currency } = display(0, { taxStatus: 'none', taxClass: '' })
  const filters = knownFilters(catalog, given, currency)
  const clauses = filterClauses(filters, book, tree)
  const price = { from: priceIn(currency, filters.minPrice), to: priceIn(currency, filters.maxPrice) }
  const ranges = price.from || price.to ? book.taxGroups.map((group) => enteredRange(group, price, display)) : null
  const without = (facet: string | null): Bits => {
    const others = clauses.filter((clause) => clause.facet !== facet)
    const found = productsWith(index, [...place, ...others], among)
    return ranges && facet !== 'price' ? keepPriced(index, found, ranges) : found
  }
  const found = without(null)
  const facets = new Map(clauses.map(({ facet, all }) => [facet, all]))
  return {
    filters,
    attribute: (slug) => new Map(Object.entries(filters.attributes)).get(slug) ?? { values: [], all: false },
    price,
    found,
    count: countBits(found),
    widens: (facet) => facets.get(facet) === false,
    without: (facet) => (facets.has(facet) || (facet === 'price' && ranges) ? without(facet) : found),
  }
}

type FacetClause = Clause & { readonly facet: string; readonly all: boolean }

function filterClauses(filters: ListingFilters, book: TermBook, tree: CatalogTree): FacetClause[] {
  const clauses: FacetClause[] = []
  const any = (facet: string, anyOf: readonly number[]) => {
    if (anyOf.length > 0) clauses.push({ facet, all: false, anyOf })
  }
  for (const [slug, { values, all }] of Object.entries(filters.attributes)) {
    const named = book.facets.find((has) => has.slug === slug)
    const terms = named?.values.filter((value) => values.includes(value.slug)).map(({ term }) => term) ?? []
    const facet = attributeParameter(slug)
    if (all) clauses.push(...terms.map((term) => ({ facet, all, anyOf: [term] })))
    else any(facet, terms)
  }
  const categories = filters.categories.flatMap((slug) => book.category(tree.bySlug(slug)?.id ?? -1) ?? [])
  any(categoryParameter, categories)
  any(
    stockParameter,
    filters.stock.map((status) => stockTerms[status]),
  )
  any(saleParameter, filters.onSale ? [isOnSale] : [])
  return clauses
}

/** Parses a typed price; null without one, or with more decimals than the currency has. */
function priceIn(currency: string, text: string | null): Money | null {
  const amount = text === null ? null : parseAmount(text, currencyExponent(currency))
  return amount?.ok ? { minor: amount.minor, currency } : null
}

/**
 * Returns the range of entered prices that are displayed within a range. Conversion is monotonic, so bisection finds
 * the ends.
 */
export function enteredRange(group: TaxGroup, { from, to }: Narrowing['price'], display: DisplayPrice): PriceRange {
  const shown = (entered: number) => display(entered, group).minor
  // Conversion is nearly proportional: rates and taxes are, roundings change a price by little.
  const each = shown(someAmount) / someAmount
  return {
    from: from ? firstWith((entered) => shown(entered) >= from.minor, from.minor / each) : 0,
    to: to ? firstWith((entered) => shown(entered) > to.minor, to.minor / each) - 1 : Number.MAX_SAFE_INTEGER,
  }
}

const someAmount = 1_000_000

/**
 * Returns the smallest whole number from 0 on from which the predicate is true.
 * @param near start of the search: the nearer, the faster
 */
export function firstWith(fulfils: (entered: number) => boolean, near: number): number {
  const begin = Math.min(largestPrice, Math.floor(near) || 0)
  // True at `high` and false below `low`, as far as checked; growing steps find the other end.
  let low = 0
  let high = begin
  let step = 1
  if (fulfils(begin)) {
    for (; high > 0; step *= 2) {
      const below = Math.max(0, high - step)
      if (!fulfils(below)) {
        low = below + 1
        break
      }
      high = below
    }
  } else {
    low = begin + 1
    for (high = low; high < largestPrice && !fulfils(high); step *= 2) {
      low = high + 1
      high = Math.min(largestPrice, high + step)
    }
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (fulfils(middle)) high = middle
    else low = middle + 1
  }
  return low
}

export const largestPrice = 2 ** 46
