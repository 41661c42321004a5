import { z } from 'zod'

/** The query parameters that filter and sort a listing. Other parameters have no effect. */
export type ListingFilters = {
  /** Attribute slug without `pa_` → values. */
  readonly attributes: Readonly<Record<string, AttributeFilter>>
  /** Slugs. */
  readonly categories: readonly string[]
  readonly stock: readonly StockFilter[]
  readonly onSale: boolean
  /** In whole units of the currency, with a decimal point: `12.5`. Null: no limit. */
  readonly minPrice: string | null
  readonly maxPrice: string | null
}

export type AttributeFilter = {
  readonly values: readonly string[]
  /** True if a product must have all of the values instead of any. */
  readonly all: boolean
}

export const stockFilters = ['instock', 'onbackorder', 'outofstock'] as const
export type StockFilter = (typeof stockFilters)[number]

export const noFilters: ListingFilters = {
  attributes: {},
  categories: [],
  stock: [],
  onSale: false,
  minPrice: null,
  maxPrice: null,
}

export const attributeParameter = (slug: string) => `filter_${slug}`
export const categoryParameter = 'filter_product_cat'
export const stockParameter = 'filter_stock_status'
export const saleParameter = 'filter_on_sale'
const queryTypePrefix = 'query_type_'
const reserved: readonly string[] = [categoryParameter, stockParameter, saleParameter]

/** No page offers more than these; a URL with more is a probe. */
const mostAttributes = 10
const mostValues = 20

const values = z
  .string()
  .max(2000)
  .transform((text) => {
    const given = text.split(',').map((value) => value.trim())
    return [...new Set(given)].filter((value) => value !== '' && value.length <= 200).slice(0, mostValues)
  })
  // The order of values in a URL has no meaning.
  .transform((given) => given.sort())
  .catch([])

/** A typed price: `1,5` is parsed as `1.5`; leading and trailing zeros are removed. */
const price = z
  .string()
  .trim()
  .max(20)
  .transform((text) => text.replace(',', '.'))
  .refine((text) => /^\d{1,9}(?:\.\d{0,4})?$/.test(text))
  .transform((text) => String(Number(text)))
  .nullable()
  .catch(null)

/** Parses the filters of a URL. Invalid ones are left out. */
export function readListingFilters(params: URLSearchParams): ListingFilters {
  const names = [...new Set(params.keys())].filter(
    (name) => /^filter_[^\0]{1,200}$/.test(name) && !reserved.includes(name),
  )
  const attributes: Record<string, AttributeFilter> = {}
  for (const name of names.sort().slice(0, mostAttributes)) {
    const slug = name.slice('filter_'.length)
    const given = values.parse(params.get(name))
    const all = given.length > 1 && params.get(queryTypePrefix + slug) === 'and'
    // defineProperty: a parameter may be called filter___proto__.
    if (given.length > 0) Object.defineProperty(attributes, slug, { value: { values: given, all }, enumerable: true })
  }
  const stock = values.parse(params.get(stockParameter))
  return {
    attributes,
    categories: values.parse(params.get(categoryParameter)),
    stock: stockFilters.filter((status) => stock.includes(status)),
    onSale: params.get(saleParameter) === '1',
    minPrice: price.parse(params.get('min_price')),
    maxPrice: price.parse(params.get('max_price')),
  }
}

/** Returns the query parameters of these filters, in a fixed order. */
export function writeListingFilters(filters: ListingFilters): Record<string, string> {
  const query: [string, string][] = Object.entries(filters.attributes).flatMap(([slug, filter]) => [
    [attributeParameter(slug), filter.values.join(',')] as [string, string],
    ...(filter.all ? [[queryTypePrefix + slug, 'and'] as [string, string]] : []),
  ])
  if (filters.categories.length > 0) query.push([categoryParameter, filters.categories.join(',')])
  if (filters.stock.length > 0) query.push([stockParameter, filters.stock.join(',')])
  if (filters.onSale) query.push([saleParameter, '1'])
  if (filters.minPrice !== null) query.push(['min_price', filters.minPrice])
  if (filters.maxPrice !== null) query.push(['max_price', filters.maxPrice])
  return Object.fromEntries(query.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the number of applied facets: each attribute, the categories, the price, stock and sale count once. */
export function facetCount(filters: ListingFilters): number {
  const { attributes, categories, stock, onSale, minPrice, maxPrice } = filters
  const others = [categories.length > 0, stock.length > 0, onSale, minPrice !== null || maxPrice !== null]
  return Object.keys(attributes).length + others.filter(Boolean).length
}
