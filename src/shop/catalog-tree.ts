import { urls } from '#contract/urls.ts'
import { type CatalogOverview, type CategoryRow, catalogOverview } from '#database/catalog/category-rows.ts'
import type { Database } from '#database/connect.ts'
import type { CategoryFacts, TermFacts } from './catalog-facts.ts'
import type { Tools } from './tools.ts'

export type CatalogTools = Pick<Tools, 'db' | 'settings' | 'clock' | 'taxRates'>

/** The categories as a tree, and what else was worked out from one version of the catalogue. */
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
  /** What was worked out from this version before, or `make` now. */
  remembered<Value>(key: string, make: () => Promise<Value>): Promise<Value>
}

/** Changes that nobody announced (a row edited by hand) show after this long. */
const longestMs = 60_000
/** Lists of ids, a few hundred each at most. */
const mostRemembered = 2000
export const homeShelf = 24

type Kept = { tree: Promise<CatalogTree>; until: number; hideOutOfStock: boolean }
const kept = new WeakMap<Database['sql'], Kept>()

/**
 * The tree as this process knows it. It is read once for all requests.
 * @param than the version that a query has just seen: an older tree is read again
 */
export async function catalogTree(tools: CatalogTools, than?: number): Promise<CatalogTree> {
  const { db, settings, clock } = tools
  const now = clock.now().getTime()
  const known = kept.get(db.sql)
  if (!known || known.hideOutOfStock !== settings.hideOutOfStock) return readAgain(tools, now).tree
  if (known.until <= now) {
    // Nobody waits for what is most likely the same: this request and those beside it take the old one.
    known.until = now + longestMs
    readAgain(tools, now, known)
    return known.tree
  }
  const tree = await known.tree
  if (than === undefined || tree.version === than) return tree
  // Someone else may have begun to read it again meanwhile.
  const latest = kept.get(db.sql)
  return (latest && latest !== known ? latest : readAgain(tools, now)).tree
}

/** @param until what stays in use until the new one is there; nothing: requests wait for the new one */
function readAgain({ db, settings }: CatalogTools, now: number, until?: Kept): Kept {
  const { hideOutOfStock } = settings
  const tree = catalogOverview(db.sql, hideOutOfStock, homeShelf).then(treeOf)
  const fresh: Kept = { tree, until: now + longestMs, hideOutOfStock }
  if (!until) kept.set(db.sql, fresh)
  tree.then(
    () => kept.get(db.sql) === until && kept.set(db.sql, fresh),
    // A failure must not be remembered.
    () => kept.get(db.sql) === fresh && kept.delete(db.sql),
  )
  return fresh
}

function treeOf(overview: CatalogOverview): CatalogTree {
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
  const memory = new Map<string, Promise<unknown>>()
  return {
    ...overview,
    top: children.get(null) ?? [],
    category: (id) => byId.get(id),
    byPath: (path) => paths.get(path),
    children: (id) => children.get(id) ?? [],
    line,
    within,
    remembered<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
      // Each key is made by one function only, so what lies under it has that function's type.
      const known = memory.get(key) as Promise<Value> | undefined
      const value = known ?? make()
      // To the end again: the first one is the one that was not asked for the longest.
      memory.delete(key)
      memory.set(key, value)
      if (known) return known
      const [oldest] = memory.keys()
      if (memory.size > mostRemembered && oldest !== undefined) memory.delete(oldest)
      value.catch(() => memory.delete(key))
      return value
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
