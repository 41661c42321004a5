import { urls } from '#contract/urls.ts'
import { type CatalogOverview, type CategoryRow, catalogOverview } from '#database/catalog/category-rows.ts'
import { countListing, type ListingScope } from '#database/catalog/listing-page.ts'
import type { Database } from '#database/connect.ts'
import type { CategoryFacts, TermFacts } from './catalog-facts.ts'
import type { Tools } from './tools.ts'

export type CatalogTools = Pick<Tools, 'db' | 'settings' | 'clock' | 'taxRates'>

/** The categories as a tree, and the counts of listings, as of one version of the catalogue. */
export type CatalogTree = {
  readonly version: number
  readonly featured: readonly number[]
  readonly onSale: readonly number[]
  /** Top categories, in their order. */
  readonly top: readonly CategoryRow[]
  category(id: number): CategoryRow | undefined
  /** By the path of the address: the slugs from the top, joined by slashes. */
  byPath(path: string): CategoryRow | undefined
  children(id: number): readonly CategoryRow[]
  /** From the top category to this one, itself included. */
  line(id: number): readonly CategoryRow[]
  /** The category and all below it. */
  within(id: number): readonly number[]
  total(scope: ListingScope): Promise<number>
}

/** Changes that nobody announced (a row edited by hand) show after this long. */
const longestMs = 60_000
const mostTotals = 1000
export const homeShelf = 24

type Kept = { tree: Promise<CatalogTree>; until: number; hideOutOfStock: boolean }
const kept = new WeakMap<Database['sql'], Kept>()

/**
 * The tree as this process knows it. It is read once for all requests.
 * @param than the version that a query has just seen: an older tree is read again
 */
export async function catalogTree({ db, settings, clock }: CatalogTools, than?: number): Promise<CatalogTree> {
  const now = clock.now().getTime()
  const known = kept.get(db.sql)
  if (known && known.until > now && known.hideOutOfStock === settings.hideOutOfStock) {
    const tree = await known.tree
    if (than === undefined || tree.version === than) return tree
    // Someone else may have begun to read it again meanwhile.
    const latest = kept.get(db.sql)
    if (latest && latest !== known) return latest.tree
  }
  const tree = catalogOverview(db.sql, settings.hideOutOfStock, homeShelf).then((overview) =>
    treeOf(overview, (scope) => countListing(db.sql, scope, settings.hideOutOfStock)),
  )
  const fresh: Kept = { tree, until: now + longestMs, hideOutOfStock: settings.hideOutOfStock }
  kept.set(db.sql, fresh)
  // A failure must not be remembered.
  tree.catch(() => kept.get(db.sql) === fresh && kept.delete(db.sql))
  return tree
}

function treeOf(overview: CatalogOverview, count: (scope: ListingScope) => Promise<number>): CatalogTree {
  const byId = new Map(overview.categories.map((category) => [category.id, category]))
  const children = Map.groupBy(overview.categories, ({ parentId }) => parentId)
  const line = (id: number): CategoryRow[] => {
    const category = byId.get(id)
    if (!category) return []
    return category.parentId === null ? [category] : [...line(category.parentId), category]
  }
  const within = (id: number): number[] => [id, ...(children.get(id) ?? []).flatMap((child) => within(child.id))]
  const paths = new Map(
    overview.categories.map((category) => [
      line(category.id)
        .map(({ slug }) => slug)
        .join('/'),
      category,
    ]),
  )
  const totals = new Map<string, Promise<number>>()
  return {
    ...overview,
    top: children.get(null) ?? [],
    category: (id) => byId.get(id),
    byPath: (path) => paths.get(path),
    children: (id) => children.get(id) ?? [],
    line,
    within,
    total(scope) {
      const key = JSON.stringify(scope)
      const known = totals.get(key)
      if (known) return known
      if (totals.size >= mostTotals) totals.clear()
      const total = count(scope)
      totals.set(key, total)
      total.catch(() => totals.delete(key))
      return total
    },
  }
}

export function categoryTerm(tree: CatalogTree, { id, name, slug }: CategoryRow): TermFacts {
  const path = tree.line(id).map((category) => encodeURIComponent(category.slug))
  return { name, slug, url: urls.category(path.join('/')) }
}

export function categoryFacts(tree: CatalogTree, category: CategoryRow): CategoryFacts {
  const { id, parentId, description, count, image } = category
  return { ...categoryTerm(tree, category), id, parentId, description, productCount: count, image }
}

/** The top categories that hold products, for the menu. */
export async function readMenu(tools: CatalogTools): Promise<CategoryFacts[]> {
  const tree = await catalogTree(tools)
  return tree.top.filter(({ count }) => count > 0).map((category) => categoryFacts(tree, category))
}
