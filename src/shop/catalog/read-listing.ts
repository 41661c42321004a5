import { type ListingFilters, noFilters, writeListingFilters } from '#contract/catalog/listing-query.ts'
import { type Query, urls } from '#contract/shared/urls.ts'
import { type CardRow, cardsByIds } from '#database/catalog/product-rows.ts'
import { hasBit } from '#domain/catalog/bit-set.ts'
import { type Clause, idsInOrder, idsOf } from '#domain/catalog/product-index.ts'
import { localizeFacts } from '../translation/localize-facts.ts'
import { type Addresses, addressesIn } from '../translation/localized-paths.ts'
import type { Translator } from '../translation/translator.ts'
import { type Catalog, type CatalogTools, cachedCatalog, listingClauses } from './cached-catalog.ts'
import type { ListingFacts, Sorting } from './catalog-facts.ts'
import { inSearch, type TermBook } from './catalog-terms.ts'
import { type CatalogTree, type CountedCategory, categoryFacts, categoryTerm } from './catalog-tree.ts'
import { localizeListing } from './localize-catalog.ts'
import { localizeCards } from './localized-cards.ts'
import { type ListNarrowing, withMatchingVariations } from './matching-variations.ts'
import { knownFilters, type Narrowing, narrow } from './narrow-listing.ts'
import { chosenFacts, readFacets } from './read-facets.ts'
import { type DisplayPrice, displayPrices } from './read-product-prices.ts'
import { type SearchHits, searchCatalog, searchTerm } from './search-catalog.ts'

export type ListingRequest = (
  | { readonly kind: 'shop' }
  | { readonly kind: 'category'; readonly categoryPath: string }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'search'; readonly term: string }
) & {
  /** The value of `orderby`; unknown values are the default. */
  readonly sorting?: string | undefined
  readonly page?: number | undefined
  readonly filters?: ListingFilters | undefined
}

const orders = ['menu_order', 'popularity', 'rating', 'date', 'price', 'price-desc'] as const
const searchOrders = ['relevance', 'popularity', 'rating', 'date', 'price', 'price-desc'] as const

/** Returns a page of a localized listing; null without such a category, tag or page. */
export async function readListing(
  tools: CatalogTools,
  request: ListingRequest,
  display: DisplayPrice = displayPrices(tools),
): Promise<ListingFacts | null> {
  const read = await readAsWritten(tools, request, display)
  if (!read) return null
  const [listing, products] = await Promise.all([
    localizeFacts(tools, (say) => localizeListing(say, read.listing)),
    localizeCards(tools, read.cards, read.tree, display).then((cards) =>
      withMatchingVariations(tools, read.book, read.narrowedBy, read.cards, cards),
    ),
  ])
  return { ...listing, products }
}

type AsWritten = {
  readonly listing: Omit<ListingFacts, 'products'>
  readonly cards: readonly CardRow[]
  readonly tree: CatalogTree
  readonly book: TermBook
  readonly narrowedBy: ListNarrowing
}

async function readAsWritten(
  tools: CatalogTools,
  request: ListingRequest,
  display: DisplayPrice,
): Promise<AsWritten | null> {
  const say = { t: (await tools.translator()).t, lead: (await addressesIn(tools)).lead }
  const catalog = await cachedCatalog(tools)
  const first = await listedIn(tools, catalog, request, display)
  // The query may have read a newer version than the cache: then the cache is updated, and the query repeated once.
  if (first === null || first.version <= catalog.version) return first && facts(tools, request, first, display, say)
  const fresh = await cachedCatalog(tools, first.version)
  const again = fresh === catalog ? first : await listedIn(tools, fresh, request, display)
  return again && facts(tools, request, again, display, say)
}

/** Returns the listing parameters that this shop supports, in a fixed order. */
export async function listingParameters(
  tools: CatalogTools,
  { kind, sorting, filters = noFilters }: Pick<ListingRequest, 'kind' | 'sorting' | 'filters'>,
): Promise<Record<string, string>> {
  return parameters(kind, sorting, knownFilters(await cachedCatalog(tools), filters, tools.settings.currency))
}

function parameters(kind: ListingRequest['kind'], wanted: string | undefined, filters: ListingFilters) {
  const sorting = sortingOf(kind, wanted)
  const query: Record<string, string> = writeListingFilters(filters)
  if (sorting !== sortingsOf(kind)[0]) query.orderby = sorting
  return query
}

type Place = {
  /** Null: it has no name of its own. */
  readonly title: string | null
  readonly path: (query: Query) => string
  readonly category: CountedCategory | null
  readonly clauses: readonly Clause[]
  readonly hits: SearchHits | null
}

type Listed = {
  readonly catalog: Catalog
  readonly place: Place
  readonly narrowing: Narrowing
  readonly page: number
  readonly version: number
  readonly cards: readonly CardRow[]
}

/** The cached index selects the products of the page; the products themselves are read each time, in one round trip. */
async function listedIn(
  tools: CatalogTools,
  catalog: Catalog,
  request: ListingRequest,
  display: DisplayPrice,
): Promise<Listed | null> {
  const place = await placeOf(tools, catalog, request)
  if (!place) return null
  const page = Math.min(1_000_000, Math.max(1, Math.trunc(request.page ?? 1) || 1))
  const { filters = noFilters, kind, sorting } = request
  const narrowing = narrow(catalog, filters, display, place.clauses, place.hits?.found)
  const limit = tools.settings.productsPerPage
  const stretch = { offset: (page - 1) * limit, limit }
  const ids = idsOfPage(catalog, narrowing, place.hits, sortingOf(kind, sorting), stretch)
  return { catalog, place, narrowing, page, ...(await cardsByIds(tools.db.sql, ids)) }
}

function idsOfPage(
  { index }: Catalog,
  { found, count }: Narrowing,
  hits: SearchHits | null,
  order: Sorting,
  { offset, limit }: { offset: number; limit: number },
): number[] {
  if (order !== 'relevance') return idsInOrder(index, { found, count, order, offset, limit })
  const numbers: number[] = []
  let skip = offset
  for (const nr of hits?.ranked ?? []) {
    if (numbers.length === limit) break
    if (hasBit(found, nr) && --skip < 0) numbers.push(nr)
  }
  return idsOf(index.columns, numbers)
}

async function placeOf(tools: CatalogTools, catalog: Catalog, request: ListingRequest): Promise<Place | null> {
  const { hideOutOfStock } = tools.settings
  const { tree, book } = catalog
  const everywhere = { category: null, hits: null, clauses: listingClauses(hideOutOfStock) }
  switch (request.kind) {
    case 'shop':
      return { ...everywhere, title: null, path: (query) => urls.shop(query) }
    case 'category': {
      const category = tree.byPath(request.categoryPath.replace(/^\/+|\/+$/g, ''))
      const term = category && book.category(category.id)
      if (!category || term === undefined) return null
      const slugs = tree.line(category.id).map(({ slug }) => encodeURIComponent(slug))
      return {
        title: category.name,
        path: (query) => urls.category(slugs.join('/'), query),
        category,
        hits: null,
        clauses: [...everywhere.clauses, { anyOf: [term] }],
      }
    }
    case 'tag': {
      const tag = book.tag(request.tag)
      if (!tag) return null
      const slug = encodeURIComponent(request.tag)
      const clauses = [...everywhere.clauses, { anyOf: [tag.term] }]
      return { ...everywhere, title: tag.name, path: (query) => urls.tag(slug, query), clauses }
    }
    case 'search': {
      const term = searchTerm(request.term)
      return {
        title: null,
        path: (query) => urls.search(term, query),
        category: null,
        hits: await searchCatalog(tools, catalog, term),
        clauses: listingClauses(hideOutOfStock, inSearch),
      }
    }
  }
}

function facts(
  { settings }: CatalogTools,
  request: ListingRequest,
  { catalog, place, narrowing, page, cards }: Listed,
  display: DisplayPrice,
  { t, lead }: Pick<Translator, 't'> & Pick<Addresses, 'lead'>,
): AsWritten | null {
  const { kind } = request
  const { tree, book } = catalog
  const { category, hits } = place
  const perPage = settings.productsPerPage
  const total = narrowing.count
  const pageCount = Math.max(1, Math.ceil(total / perPage))
  if (page > pageCount) return null
  // Localized once for all choices: a listing has forty of them, each of which would be looked up in the markup.
  const [own = ''] = place.path({}).split('?', 1)
  const led = lead(own)
  const urlOf = (filters: ListingFilters) => {
    const path = place.path(parameters(kind, request.sorting, filters))
    return led === own ? path : led + path.slice(own.length)
  }
  const facets = readFacets({ catalog, narrowing, settings, display, category: category?.id ?? null, urlOf, t })
  const chosen = chosenFacts(facets, { narrowing, urlOf, t })
  const query = parameters(kind, request.sorting, narrowing.filters)
  const below = category ? tree.children(category.id) : tree.top
  const listing = {
    kind,
    title: place.title ?? (kind === 'search' ? t('Search results') : t('Shop')),
    description: category?.description ?? '',
    image: category?.image ?? null,
    searchTerm: kind === 'search' ? searchTerm(request.term) : '',
    path: place.path(query),
    // A form that sorts the listing includes these.
    query: kind === 'search' ? { s: searchTerm(request.term), post_type: 'product', ...query } : query,
    sorting: sortingOf(kind, request.sorting),
    sortings: sortingsOf(kind),
    page,
    pageCount,
    perPage,
    total,
    categories: below.filter(({ count }) => count > 0).map((child) => categoryFacts(tree, child)),
    ancestors: category
      ? tree
          .line(category.id)
          .slice(0, -1)
          .map((above) => categoryTerm(tree, above))
      : [],
    facets,
    chosen,
    clearUrl: chosen.length > 0 ? urlOf(noFilters) : null,
    correctedTerm: hits?.corrected ?? null,
    isPassing: hits?.isPassing ?? false,
  }
  const term = kind === 'search' ? searchTerm(request.term) : null
  return { listing, cards, tree, book, narrowedBy: { filters: narrowing.filters, term } }
}

function sortingsOf(kind: ListingRequest['kind']): readonly Sorting[] {
  // A search is never sorted by the menu order, and nothing else by relevance.
  return kind === 'search' ? searchOrders : orders
}

function sortingOf(kind: ListingRequest['kind'], wanted: string | undefined): Sorting {
  const sortings = sortingsOf(kind)
  return sortings.find((sorting) => sorting === wanted) ?? sortings[0] ?? 'menu_order'
}
