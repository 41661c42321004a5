import { type Query, urls } from '#contract/urls.ts'
import type { CategoryRow } from '#database/catalog/category-rows.ts'
import {
  countListing,
  type ListingOrder,
  type ListingScope,
  listingIds,
  searchIds,
} from '#database/catalog/listing-page.ts'
import { tagBySlug } from '#database/catalog/product-page.ts'
import { type CardRow, cardsByIds } from '#database/catalog/product-rows.ts'
import type { ListingFacts, Sorting } from './catalog-facts.ts'
import { type CatalogTools, type CatalogTree, catalogTree, categoryFacts, categoryTerm } from './catalog-tree.ts'
import { cardFacts } from './read-product-card.ts'
import { type DisplayPrice, displayPrices } from './read-product-prices.ts'

export type ListingRequest = (
  | { readonly kind: 'shop' }
  | { readonly kind: 'category'; readonly categoryPath: string }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'search'; readonly term: string }
) & {
  /** The value of `orderby`; what is not known is the default. */
  readonly sorting?: string | undefined
  readonly page?: number | undefined
  /** The other parameters of the address, which links of the page keep. */
  readonly query?: Readonly<Record<string, string>> | undefined
}

const orders = [
  'menu_order',
  'popularity',
  'rating',
  'date',
  'price',
  'price-desc',
] as const satisfies readonly ListingOrder[]
export const longestTerm = 200
/** Parameters that a listing's own address never repeats: the form and the page links set them. */
const ownParameters = new Set(['orderby', 'paged', 'submit', 'product-page', 's', 'post_type'])

/** One page of a listing; null when there is no such category, tag or page. */
export async function readListing(
  tools: CatalogTools,
  request: ListingRequest,
  display: DisplayPrice = displayPrices(tools.settings, tools.taxRates),
): Promise<ListingFacts | null> {
  const tree = await catalogTree(tools)
  const first = await listed(tools, request, tree)
  // What the query saw may be newer than the tree: then categories and counts are read again, once.
  if (first === null || first.version === tree.version) return facts(tools, request, tree, first, display)
  const fresh = await catalogTree(tools, first.version)
  return facts(tools, request, fresh, await listed(tools, request, fresh), display)
}

type Listed = {
  version: number
  title: string
  path: (query: Query) => string
  category: CategoryRow | null
  page: number
  total: number
  cards: readonly CardRow[]
}

/** Ids are looked up for so many pages at a time, so that paging on costs no more than the first page. */
const pagesAtOnce = 10

/**
 * The order of a listing is remembered with the tree, as ids; the products themselves are read each time. So a page costs
 * one round trip for as many rows as it shows, whatever the size of the shop.
 */
async function listed(
  { db, settings }: CatalogTools,
  request: ListingRequest,
  tree: CatalogTree,
): Promise<Listed | null> {
  const page = Math.min(1_000_000, Math.max(1, Math.trunc(request.page ?? 1) || 1))
  const limit = settings.productsPerPage
  const { hideOutOfStock } = settings
  const sorting = sortingOf(request)

  if (request.kind === 'search') {
    const term = searchTerm(request.term)
    const ids = await tree.remembered(`search ${sorting} ${term}`, () =>
      // A search is never sorted by the menu: sortingsOf leaves that out.
      searchIds(db.sql, { term, hideOutOfStock, order: sorting }),
    )
    const cards = await cardsByIds(db.sql, ids.slice((page - 1) * limit, page * limit))
    return {
      ...cards,
      total: ids.length,
      title: 'Search results',
      path: (query) => urls.search(term, query),
      category: null,
      page,
    }
  }
  const place = await placeOf(db, request, tree)
  if (!place) return null
  const { scope } = place
  const key = JSON.stringify(scope)
  const total = await tree.remembered(`count ${key}`, () => countListing(db.sql, scope, hideOutOfStock))
  const stretch = Math.floor((page - 1) / pagesAtOnce)
  const order = sorting === 'relevance' ? 'menu_order' : sorting
  const ids = await tree.remembered(`ids ${order} ${limit} ${stretch} ${key}`, async () => {
    const size = limit * pagesAtOnce
    return stretch * size >= total
      ? []
      : listingIds(db.sql, { scope, hideOutOfStock, order, limit: size, offset: stretch * size, total })
  })
  const start = ((page - 1) % pagesAtOnce) * limit
  return { ...(await cardsByIds(db.sql, ids.slice(start, start + limit))), ...place, total, page }
}

async function placeOf(
  db: CatalogTools['db'],
  request: Exclude<ListingRequest, { kind: 'search' }>,
  tree: CatalogTree,
): Promise<(Pick<Listed, 'title' | 'path' | 'category'> & { scope: ListingScope }) | null> {
  switch (request.kind) {
    case 'shop':
      return { title: 'Shop', path: (query) => urls.shop(query), category: null, scope: { kind: 'all' } }
    case 'category': {
      const category = tree.byPath(request.categoryPath.replace(/^\/+|\/+$/g, ''))
      if (!category) return null
      const path = tree
        .line(category.id)
        .map(({ slug }) => encodeURIComponent(slug))
        .join('/')
      const scope = { kind: 'category', ids: tree.within(category.id) } as const
      return { title: category.name, path: (query) => urls.category(path, query), category, scope }
    }
    case 'tag': {
      const tag = await tagBySlug(db.sql, request.tag)
      if (!tag) return null
      const slug = encodeURIComponent(request.tag)
      return {
        title: tag.name,
        path: (query) => urls.tag(slug, query),
        category: null,
        scope: { kind: 'tag', id: tag.id },
      }
    }
  }
}

function facts(
  { settings }: CatalogTools,
  request: ListingRequest,
  tree: CatalogTree,
  found: Listed | null,
  display: DisplayPrice,
): ListingFacts | null {
  if (!found) return null
  const { page, total, category } = found
  const perPage = settings.productsPerPage
  const pageCount = Math.max(1, Math.ceil(total / perPage))
  if (page > pageCount) return null
  const sorting = sortingOf(request)
  const sortings = sortingsOf(request.kind)
  const query: Record<string, string> = Object.fromEntries(
    Object.entries(request.query ?? {}).filter(([name]) => !ownParameters.has(name)),
  )
  if (sorting !== sortings[0]) query.orderby = sorting
  const below = category ? tree.children(category.id) : tree.top
  return {
    kind: request.kind,
    title: found.title,
    description: category?.description ?? '',
    searchTerm: request.kind === 'search' ? searchTerm(request.term) : '',
    path: found.path(query),
    query,
    sorting,
    sortings,
    page,
    pageCount,
    perPage,
    total,
    products: found.cards.map((row) => cardFacts(row, tree, display)),
    categories: below.filter(({ count }) => count > 0).map((child) => categoryFacts(tree, child)),
    ancestors: category
      ? tree
          .line(category.id)
          .slice(0, -1)
          .map((above) => categoryTerm(tree, above))
      : [],
  }
}

/** NUL cannot be stored, so it cannot be sought either. */
function searchTerm(term: string): string {
  return term.replaceAll('\0', ' ').trim().slice(0, longestTerm)
}

function sortingsOf(kind: ListingRequest['kind']): readonly Sorting[] {
  return kind === 'search' ? ['relevance', ...orders.slice(1)] : orders
}

function sortingOf(request: ListingRequest): Sorting {
  const sortings = sortingsOf(request.kind)
  return sortings.find((sorting) => sorting === request.sorting) ?? sortings[0] ?? 'menu_order'
}
