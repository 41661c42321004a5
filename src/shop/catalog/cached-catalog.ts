import { setImmediate as nextTurn } from 'node:timers/promises'
import { changesSince } from '#database/catalog/catalog-version.ts'
import { catalogTerms, indexRows, indexRowsOf, textRows } from '#database/catalog/index-rows.ts'
import { type Spelling, spellingOf } from '#domain/catalog/nearest-word.ts'
import {
  type Clause,
  numberOf,
  type ProductIndex,
  productIndexDraft,
  productsWith,
  termCounts,
  termsOf,
  withProducts,
} from '#domain/catalog/product-index.ts'
import { bareNumber, searchWords } from '#domain/catalog/search-words.ts'
import { orderOf, productOrders } from '#domain/catalog/sort-orders.ts'
import { withoutStopWords } from '#domain/catalog/stop-words.ts'
import { type WordIndex, wordIndexDraft } from '#domain/catalog/word-index.ts'
import type { Tools } from '../shared/tools.ts'
import type { CategoryFacts } from './catalog-facts.ts'
import { inCatalog, stockTerms, type TermBook, termBook } from './catalog-terms.ts'
import { type CatalogTree, categoryFacts, lineOf, treeOf } from './catalog-tree.ts'

export type CatalogTools = Pick<
  Tools,
  'db' | 'settings' | 'clock' | 'log' | 'taxRates' | 'exchange' | 'translator' | 'pageSlugs' | 'catalogCache'
>

/** The catalog cached in this process. */
export type Catalog = {
  readonly version: number
  readonly tree: CatalogTree
  readonly book: TermBook
  readonly index: ProductIndex
  /** The words of the products; shared by catalogs that differ only in single products. Read by `catalogWords`. */
  readonly words: KeptWords
}

/** Available a little after the rest: texts take longest to read. Null: the last read failed. */
type KeptWords = { read: Promise<Words> | null }

export type Words = {
  readonly index: WordIndex
  readonly spelling: () => Spelling
  /** Languages of the words, as tags. */
  readonly languages: readonly string[]
}

/** Unannounced changes (a row edited by hand) are visible after this time … */
const longestMs = 60_000
/** … or later, so that checking takes at most one hundredth of the time. */
const shareOfTime = 100
/** Up to this size a full read is too fast for visitors to notice: requests wait for it. */
const quickSize = 5_000

/**
 * Products and categories that listings and pages show differently than before; null: any may differ. Categories are
 * named by their slugs.
 */
export type CatalogChange = { readonly products: readonly number[]; readonly categories: readonly string[] } | null

/** The changes between two versions, from one caller's view. */
export type CatalogUpdate = {
  readonly change: CatalogChange
  /** The version reported last; null: none was reported, or earlier changes are unknown. */
  readonly since: number | null
  readonly version: number
}

type Touched = { readonly products: Set<number>; readonly categories: Set<string> }

export type KeptCatalog = {
  current: Promise<Catalog>
  /** The version of `current`, once it resolves. */
  version: number
  hideOutOfStock: boolean
  readAt: number
  tookMs: number
  underWay: Update | null
  /** Since the last report; null: anything. */
  touched: Touched | null
  /** The version reported last; null: none yet. */
  toldVersion: number | null
}
type Update = {
  /** False: it takes longer than requests should wait. */
  readonly quick: Promise<boolean>
  readonly done: Promise<unknown>
}

/**
 * Returns the catalog cached in this process; read once for all requests.
 * @param seen the version that a query has just read: if it is newer, changes are read first, or, if that takes long,
 * in the background
 */
export async function cachedCatalog(tools: CatalogTools, seen = 0): Promise<Catalog> {
  const known = tools.catalogCache.catalog ?? readFirst(tools)
  let catalog = await known.current
  const { hideOutOfStock } = tools.settings
  if (known.hideOutOfStock !== hideOutOfStock) {
    known.hideOutOfStock = hideOutOfStock
    catalog = withCounts(catalog, hideOutOfStock)
    known.current = Promise.resolve(catalog)
  }
  // Repeated: a read in progress may have started before that version.
  for (let tries = 0; tries < 3 && catalog.version < seen; tries += 1) {
    known.underWay ??= update(tools, known, catalog)
    const { quick, done } = known.underWay
    if (!(await quick)) break
    await done
    catalog = await known.current
  }
  const nextReading = known.readAt + Math.max(longestMs, known.tookMs * shareOfTime)
  // Requests do not wait: the catalog has most likely not changed.
  if (tools.clock.now().getTime() > nextReading) known.underWay ??= readAgain(tools, known, catalog)
  return catalog
}

/**
 * Waits until this process has the newest version, however long it takes.
 * @returns the changes since its last call, including those read by others
 */
export async function waitForNewestCatalog(tools: CatalogTools): Promise<CatalogUpdate> {
  const known = tools.catalogCache.catalog
  if (!known) return { change: null, since: null, version: 0 }
  const before = await known.current
  known.underWay ??= update(tools, known, before)
  await known.underWay.done
  const after = await known.current
  const { version } = await changesSince(tools.db.sql, after.version)
  // Another change arrived during the read; without progress it would fail again.
  if (version > after.version)
    return after === before ? { change: null, since: null, version: 0 } : waitForNewestCatalog(tools)
  // Not `after.version`: `touched` includes changes read since then.
  const { touched, toldVersion: since, version: now } = known
  known.touched = nothingTouched()
  known.toldVersion = now
  const change = touched && { products: [...touched.products], categories: [...touched.categories] }
  return { change, since, version: now }
}

const nothingTouched = (): Touched => ({ products: new Set(), categories: new Set() })

export async function catalogTree(tools: CatalogTools): Promise<CatalogTree> {
  return (await cachedCatalog(tools)).tree
}

/** Returns the top categories with products, for the menu. */
export async function readMenu(tools: CatalogTools): Promise<CategoryFacts[]> {
  const tree = await catalogTree(tools)
  return tree.top.filter(({ count }) => count > 0).map((category) => categoryFacts(tree, category))
}

function readFirst(tools: CatalogTools): KeptCatalog {
  const { hideOutOfStock } = tools.settings
  const readAt = tools.clock.now().getTime()
  const fresh: KeptCatalog = {
    current: read(tools),
    version: 0,
    hideOutOfStock,
    readAt,
    tookMs: 0,
    underWay: null,
    touched: null,
    toldVersion: null,
  }
  const { catalogCache } = tools
  catalogCache.catalog = fresh
  fresh.current.then(
    ({ version }) => {
      fresh.version = version
      fresh.tookMs = tools.clock.now().getTime() - readAt
    },
    // A failure must not be cached.
    () => {
      if (catalogCache.catalog === fresh) catalogCache.catalog = null
    },
  )
  return fresh
}

function update(tools: CatalogTools, known: KeptCatalog, catalog: Catalog): Update {
  const patched = patch(tools, known, catalog)
  const all = patched.then((ready) => (ready ? undefined : replaceCatalog(tools, known)))
  return trackUpdate(known, catalog, patched, all)
}

function readAgain(tools: CatalogTools, known: KeptCatalog, catalog: Catalog): Update {
  return trackUpdate(known, catalog, Promise.resolve(false), replaceCatalog(tools, known))
}

/** Handles the end of a read. After a failure the old catalog stays; the next request with a newer version retries. */
function trackUpdate(known: KeptCatalog, { index }: Catalog, patched: Promise<boolean>, all: Promise<unknown>): Update {
  const done = all
    .catch(() => undefined)
    .finally(() => {
      known.underWay = null
    })
  const quick = patched.then(
    (ready) => ready || index.size <= quickSize,
    () => false,
  )
  return { quick, done }
}

/** Updates single products. @returns false if a full read is required */
async function patch({ db, settings }: CatalogTools, known: KeptCatalog, catalog: Catalog): Promise<boolean> {
  const { version, products } = await changesSince(db.sql, catalog.version)
  if (products === null) return version === catalog.version
  const rows = (await indexRowsOf(db.sql, products)).map(catalog.book.indexed)
  const changed = rows.flatMap((row) => row ?? [])
  // Deleted or hidden from listings: their numbers would have to be removed too.
  const gone = products.some((id) => numberOf(catalog.index, id) >= 0 && !changed.some((row) => row.id === id))
  const index = rows.includes(null) || gone ? null : withProducts(catalog.index, changed)
  if (!index) return false
  const next = withCounts({ ...catalog, version, index }, settings.hideOutOfStock)
  known.current = Promise.resolve(next)
  known.version = version
  noteTouched(known, products, catalog, next)
  return true
}

/**
 * Records the former and current places of the products. The menu of every page depends on which categories have
 * products.
 */
function noteTouched(known: KeptCatalog, products: readonly number[], before: Catalog, after: Catalog): void {
  const filled = ({ tree }: Catalog) => tree.all.flatMap(({ id, count }) => (count > 0 ? [id] : [])).join()
  if (filled(before) !== filled(after)) known.touched = null
  if (!known.touched) return
  const terms = new Set(
    [before, after].flatMap(({ index }) =>
      products.flatMap((id) => {
        const nr = numberOf(index, id)
        return nr < 0 ? [] : [...termsOf(index, nr)]
      }),
    ),
  )
  for (const id of products) known.touched.products.add(id)
  for (const { id, slug } of after.tree.all) {
    if (terms.has(after.book.category(id) ?? -1)) known.touched.categories.add(slug)
  }
}

async function replaceCatalog(tools: CatalogTools, known: KeptCatalog): Promise<void> {
  const readAt = tools.clock.now().getTime()
  const catalog = await read(tools)
  // A search must not wait for words that it had a moment ago.
  await catalogWords(tools, catalog)
  if (catalog.version !== known.version) known.touched = null
  known.current = Promise.resolve(catalog)
  known.version = catalog.version
  known.hideOutOfStock = tools.settings.hideOutOfStock
  known.readAt = readAt
  known.tookMs = tools.clock.now().getTime() - readAt
}

async function read(tools: CatalogTools): Promise<Catalog> {
  const { db, settings } = tools
  const terms = await catalogTerms(db.sql)
  const byId = new Map(terms.categories.map((category) => [category.id, category]))
  const book = termBook(terms, (id) => lineOf(byId, id))
  const draft = productIndexDraft(book.count)
  for await (const rows of indexRows(db.sql)) {
    for (const row of rows) {
      // A product of a newly created term is indexed with the next version.
      const product = book.indexed(row)
      if (product) draft.add(product)
    }
  }
  const index = draft.finish()
  // Sorting all at once would block every visitor: each order takes some milliseconds, and other work runs in between.
  for (const order of productOrders) {
    await nextTurn()
    orderOf(index, order)
  }
  const uncounted = treeOf(terms.categories.map((category) => ({ ...category, count: 0 })))
  const bare: Catalog = { version: terms.version, tree: uncounted, book, index, words: { read: null } }
  void catalogWords(tools, bare)
  return withCounts(bare, settings.hideOutOfStock)
}

/** Returns the words of the catalog's products: read with it, and again by the next caller after a failure. */
export function catalogWords(
  tools: Pick<CatalogTools, 'db' | 'translator'>,
  { words, book, index }: Catalog,
): Promise<Words> {
  if (words.read) return words.read
  const read = readWords(tools, book, index)
  words.read = read
  // The search handles the failure; no caller may exist before that.
  read.catch(() => {
    words.read = null
  })
  return read
}

async function readWords(
  { db, translator }: Pick<CatalogTools, 'db' | 'translator'>,
  book: TermBook,
  index: ProductIndex,
): Promise<Words> {
  const languages = [(await translator()).sourceLanguage]
  const draft = wordIndexDraft(index.size, (name) => withoutStopWords(name, languages))
  const termWords = new Map<number, readonly string[]>()
  const wordsOfTerm = (term: number): readonly string[] => {
    const words = termWords.get(term) ?? searchWords(book.label(term))
    termWords.set(term, words)
    return words
  }
  let last = -1
  for await (const rows of textRows(db.sql)) {
    for (const { id, name, skus, short, text, own } of rows) {
      const nr = numberOf(index, id)
      // Moved since the products were read: the next version has it.
      if (nr <= last) continue
      last = nr
      draft.add(nr, {
        name: searchWords(name),
        short: [
          ...searchWords(`${short} ${skus.join(' ')} ${own}`),
          ...skus.map(bareNumber).filter((number) => number !== ''),
          ...Array.from(termsOf(index, nr), wordsOfTerm).flat(),
        ],
        text: searchWords(text),
      })
    }
  }
  return wordsOf(draft.finish(), languages)
}

/** Returns an index with spellings of its words, which are created at the first misspelled word. */
export function wordsOf(index: WordIndex, languages: readonly string[]): Words {
  let spelling: Spelling | null = null
  return {
    index,
    languages,
    spelling: () => {
      spelling ??= spellingOf(index)
      return spelling
    },
  }
}

function withCounts(catalog: Catalog, hideOutOfStock: boolean): Catalog {
  const { tree, book, index } = catalog
  const terms = tree.all.flatMap(({ id }) => book.category(id) ?? [])
  const counts = termCounts(index, productsWith(index, listingClauses(hideOutOfStock)), terms)
  const counted = tree.all.map((category) => ({ ...category, count: counts[book.category(category.id) ?? -1] ?? 0 }))
  return { ...catalog, tree: treeOf(counted) }
}

/** Returns the clauses that every listing applies to its products. */
export function listingClauses(hideOutOfStock: boolean, where = inCatalog): Clause[] {
  return [{ anyOf: [where] }, ...(hideOutOfStock ? [{ anyOf: [stockTerms.instock, stockTerms.onbackorder] }] : [])]
}
