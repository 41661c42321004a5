import type { StoreProductFilters, StoreProductsInput } from '#contract/catalog/store-products.ts'
import { momentIn } from '#contract/shared/rest-moment.ts'
import { type StoreIdQuery, storeProductIds } from '#database/catalog/store-product-ids.ts'
import { attributeTermsByIds } from '#database/catalog/store-terms.ts'
import {
  addBit,
  type Bits,
  bitsFrom,
  countBits,
  eachBit,
  hasBit,
  keepCommon,
  noBits,
  without,
} from '#domain/catalog/bit-set.ts'
import { type Clause, idsInOrder, idsOf, numberOf, productsWith } from '#domain/catalog/product-index.ts'
import { keepPriced } from '#domain/catalog/product-prices.ts'
import { money } from '#domain/money/money.ts'
import type { Catalog, CatalogTools } from '../cached-catalog.ts'
import { inCatalog, inSearch, isFeatured, isOnSale, stockTerms } from '../catalog-terms.ts'
import { enteredRange } from '../narrow-listing.ts'
import type { DisplayPrice } from '../read-product-prices.ts'
import { searchCatalog } from '../search-catalog.ts'

export type StoreListing = { readonly ids: readonly number[]; readonly total: number }

/** Orders that the index holds: its order, or the reverse of it. */
const indexOrders = {
  'date desc': ['date', false],
  'date asc': ['date', true],
  'popularity desc': ['popularity', false],
  'popularity asc': ['popularity', true],
  'rating desc': ['rating', false],
  'rating asc': ['rating', true],
  'price asc': ['price', false],
  'price desc': ['price-desc', false],
  'menu_order asc': ['menu_order', false],
  'menu_order desc': ['menu_order', true],
} as const

/**
 * Returns one page of a filtered list of products. The cached index answers alone where it can; other conditions and
 * orders come from the database.
 * @param display converts prices, whose limits are in the displayed currency
 */
export async function listStoreProducts(
  tools: CatalogTools,
  catalog: Catalog,
  query: StoreProductsInput,
  display: DisplayPrice,
): Promise<StoreListing> {
  const limit = query.per_page
  const offset = query.offset ?? (query.page - 1) * limit
  const bits = await storeBits(tools, catalog, query, display)
  const stored = needsDatabase(query) || !(`${query.orderby} ${query.order}` in indexOrders)
  if (!stored) return pageOf(catalog, bits, query, { offset, limit })
  const rows = await storeProductIds(tools.db.kysely, idQuery(tools, query))
  const isAny = isHidden(query)
  const listed = rows.filter(({ pageId }) => {
    if (isAny) return true
    const nr = numberOf(catalog.index, pageId)
    return nr >= 0 && hasBit(bits, nr)
  })
  return { ids: listed.slice(offset, offset + limit).map(({ id }) => id), total: listed.length }
}

function pageOf(
  { index }: Catalog,
  found: Bits,
  { orderby, order }: StoreProductsInput,
  { offset, limit }: { offset: number; limit: number },
): StoreListing {
  const total = countBits(found)
  const [name, isReversed] = indexOrders[`${orderby} ${order}` as keyof typeof indexOrders]
  if (!isReversed) return { ids: idsInOrder(index, { found, count: total, order: name, offset, limit }), total }
  const end = Math.max(0, total - offset)
  const start = Math.max(0, end - limit)
  if (name === 'menu_order')
    return { ids: idsOf(index.columns, bitsFrom(found, start, end - start)).toReversed(), total }
  const ids = idsInOrder(index, { found, count: total, order: name, offset: start, limit: end - start })
  return { ids: ids.toReversed(), total }
}

const isHidden = ({ catalog_visibility: visibility }: StoreProductFilters) => visibility === 'hidden'
const listsVariations = ({ type, parent }: StoreProductFilters) => type === 'variation' || parent.some((id) => id > 0)

/** Reports whether some filter is not in the index. */
export function needsDatabase(query: StoreProductFilters): boolean {
  return (
    isHidden(query) ||
    listsVariations(query) ||
    query.type !== '' ||
    query.brand.length > 0 ||
    query.slug.length > 0 ||
    query.sku.length > 0 ||
    query.related !== undefined ||
    query.after !== undefined ||
    query.before !== undefined
  )
}

function idQuery(
  { settings: { timeZone } }: CatalogTools,
  query: StoreProductFilters & Partial<Pick<StoreProductsInput, 'order' | 'orderby'>>,
): StoreIdQuery {
  const zone = query.date_column.endsWith('_gmt') ? 'UTC' : timeZone
  const instant = (text: string | undefined) => (text === undefined ? null : momentIn(text, zone))
  const isModified = query.date_column.startsWith('modified')
  const [after, before] = [instant(query.after), instant(query.before)]
  const variations = listsVariations(query)
  return {
    slugs: query.slug,
    skus: query.sku,
    type: query.type,
    variations,
    parents: query.parent.filter((id) => id > 0),
    notOfParents: query.parent_exclude,
    include: query.include,
    exclude: query.exclude,
    createdAfter: isModified ? null : after,
    createdBefore: isModified ? null : before,
    modifiedAfter: isModified ? after : null,
    modifiedBefore: isModified ? before : null,
    brands: query.brand,
    brandOperator: query.brand_operator,
    related: query.related ?? null,
    hidden: isHidden(query),
    stock: query.stock_status,
    onSale: query.on_sale ?? null,
    orderBy: query.orderby ?? 'id',
    descending: (query.order ?? 'asc') === 'desc',
  }
}

/**
 * Returns the products of the index that match the filters, also those that only the database answers.
 * @param ignoring slug of an attribute whose filters do not count
 */
export async function filteredBits(
  tools: CatalogTools,
  catalog: Catalog,
  query: StoreProductFilters,
  display: DisplayPrice,
  ignoring?: string,
): Promise<Bits> {
  const bits = await storeBits(tools, catalog, query, display, ignoring)
  if (!needsDatabase(query)) return bits
  const stored = noBits(catalog.index.size)
  for (const { pageId } of await storeProductIds(tools.db.kysely, idQuery(tools, query))) {
    const nr = numberOf(catalog.index, pageId)
    if (nr >= 0) addBit(stored, nr)
  }
  keepCommon(bits, stored)
  return bits
}

/** Without `pa_`, as the index names attributes. */
export const attributeSlug = (taxonomy: string): string => taxonomy.replace(/^(?:attribute_)?pa_/, '')

type Conditions = { readonly clauses: Clause[]; readonly excluded: number[] }

/** A term that no product has. */
const noTerm: readonly number[] = []

async function storeBits(
  tools: CatalogTools,
  catalog: Catalog,
  query: StoreProductFilters,
  display: DisplayPrice,
  ignoring?: string,
): Promise<Bits> {
  const { index, book } = catalog
  const { settings } = tools
  const { clauses, excluded } = await conditionsOf(tools, catalog, query, ignoring)
  // Variations have a stock and a sale of their own.
  const ofPage = !listsVariations(query)
  if (ofPage && query.stock_status.length > 0) {
    clauses.push({ anyOf: query.stock_status.map((status) => stockTerms[status]) })
  }
  if (ofPage && query.on_sale === true) clauses.push({ anyOf: [isOnSale] })
  if (ofPage && query.on_sale === false) excluded.push(isOnSale)
  if (settings.hideOutOfStock) clauses.push({ anyOf: [stockTerms.instock, stockTerms.onbackorder] })
  const hits = query.search === '' ? null : await searchCatalog(tools, catalog, query.search)
  let found = productsWith(index, clauses, hits?.found)
  for (const term of excluded) found = without(found, productsWith(index, [{ anyOf: [term] }]))
  const { min_price: min, max_price: max } = query
  if (min !== undefined || max !== undefined) {
    const { currency } = display(0, { taxStatus: 'none', taxClass: '' })
    const price = {
      from: min === undefined ? null : money(min, currency),
      to: max === undefined ? null : money(max, currency),
    }
    found = keepPriced(
      index,
      found,
      book.taxGroups.map((group) => enteredRange(group, price, display)),
    )
  }
  if (query.rating.length > 0) found = keepRated(catalog, found, query.rating)
  if (ofPage && query.include.length > 0) keepCommon(found, bitsOfIds(catalog, query.include))
  if (ofPage && query.exclude.length > 0) found = without(found, bitsOfIds(catalog, query.exclude))
  // Products of their own have no parent.
  if (query.parent_exclude.includes(0) && ofPage) return noBits(index.size)
  return found
}

async function conditionsOf(
  { db }: CatalogTools,
  { book, tree }: Catalog,
  query: StoreProductFilters,
  ignoring: string | undefined,
): Promise<Conditions> {
  const clauses: Clause[] = []
  const excluded: number[] = []
  const add = (terms: readonly (number | undefined)[], operator: 'in' | 'not_in' | 'and') => {
    const known = terms.flatMap((term) => term ?? [])
    if (operator === 'in') clauses.push({ anyOf: known })
    else if (operator === 'not_in') excluded.push(...known)
    else clauses.push(...terms.map((term) => ({ anyOf: term === undefined ? noTerm : [term] })))
  }
  const visibility = query.catalog_visibility
  if (visibility === 'visible' || visibility === 'catalog') clauses.push({ anyOf: [inCatalog] })
  if (visibility === 'visible' || visibility === 'search') clauses.push({ anyOf: [inSearch] })
  if (query.featured === true) clauses.push({ anyOf: [isFeatured] })
  if (query.featured === false) excluded.push(isFeatured)
  if (query.category.length > 0) {
    const ids = query.category.map((named) => tree.bySlug(named)?.id ?? Number(named))
    add(
      ids.map((id) => book.category(id)),
      query.category_operator,
    )
  }
  if (query.tag.length > 0) {
    const terms = query.tag.map(
      (named) => book.tag(named)?.term ?? book.tags.find(({ id }) => String(id) === named)?.term,
    )
    add(terms, query.tag_operator)
  }
  const named = query.attributes.filter(
    ({ attribute }) => ignoring === undefined || attributeSlug(attribute) !== ignoring,
  )
  const byId = await attributeTermsByIds(
    db.sql,
    named.flatMap(({ term_id: ids }) => ids),
  )
  const slugs = new Map(byId.map(({ id, slug }) => [id, slug]))
  const wanted = named
    .map(({ attribute, slug, term_id: ids, operator }) => {
      const own = book.attributes.find((one) => one.slug === attributeSlug(attribute) || String(one.id) === attribute)
      const values = [...slug, ...ids.map((id) => slugs.get(id) ?? '')]
      return { operator, terms: values.map((value) => own?.values.find((has) => has.slug === value)?.term) }
    })
    .filter(({ terms }) => terms.length > 0)
  if (query.attribute_relation === 'in' && wanted.length > 1) {
    clauses.push({ anyOf: wanted.flatMap(({ terms }) => terms.flatMap((term) => term ?? [])) })
  } else for (const { terms, operator } of wanted) add(terms, operator)
  return { clauses, excluded }
}

function bitsOfIds({ index }: Catalog, ids: readonly number[]): Bits {
  const bits = noBits(index.size)
  for (const id of ids) {
    const nr = numberOf(index, id)
    if (nr >= 0) addBit(bits, nr)
  }
  return bits
}

/** Returns the stars of a product: its average, rounded; 0 without ratings. */
export const starsOf = ({ index: { columns } }: Catalog, nr: number): number => Math.round(columns.rating[nr] ?? 0)

function keepRated(catalog: Catalog, found: Bits, ratings: readonly number[]): Bits {
  const rated = noBits(catalog.index.size)
  eachBit(found, (nr) => {
    if (ratings.includes(starsOf(catalog, nr))) addBit(rated, nr)
  })
  return rated
}
