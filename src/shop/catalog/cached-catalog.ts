import { setImmediate as nextTurn } from 'node:timers/promises'
import { changesSince } from '#database/catalog/catalog-version.ts'
import { catalogTerms, indexRows, indexRowsOf, textRows } from '#database/catalog/index-rows.ts'
import type { Database } from '#database/engine/connect.ts'
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
  'db' | 'settings' | 'clock' | 'log' | 'taxRates' | 'exchange' | 'translator' | 'pageSlugs'
>

/** What this process knows of the catalogue by heart. */
export type Catalog = {
  readonly version: number
  readonly tree: CatalogTree
  readonly book: TermBook
  readonly index: ProductIndex
  /** The same of all that differ in single products only. Asked for by `catalogWords`. */
  readonly words: KeptWords
}

/** There a little after the rest: texts take longest to read. Null: nobody reads them, as that has failed. */
type KeptWords = { read: Promise<Words> | null }

export type Words = {
  readonly index: WordIndex
  readonly spelling: () => Spelling
  /** Of the words, as language tags. */
  readonly languages: readonly string[]
}

/** Changes that nobody announced (a row edited by hand) show after this long … */
const longestMs = 60_000
/** … or later, so that looking for them takes no more than one hundredth of the time. */
const shareOfTime = 100
/** Up to here reading all takes less time than a visitor notices: requests wait for it. */
const quickSize = 5_000

/** What listings and products show otherwise than before; null: anything may be. Categories are named by their slugs. */
export type CatalogChange = { readonly products: readonly number[]; readonly categories: readonly string[] } | null

/** What has changed between two versions, as far as who asked is concerned. */
export type CatalogUpdate = {
  readonly change: CatalogChange
  /** The version that was told of last; null: nobody was told before, or nothing is known of what was. */
  readonly since: number | null
  readonly version: number
}

type Touched = { readonly products: Set<number>; readonly categories: Set<string> }

type Kept = {
  current: Promise<Catalog>
  /** Of `current`, as soon as that is there. */
  version: number
  hideOutOfStock: boolean
  readAt: number
  tookMs: number
  underWay: Update | null
  /** Since somebody was told last; null: anything. */
  touched: Touched | null
  /** Of which version somebody was told last; null: of none yet. */
  toldVersion: number | null
}
type Update = {
  /** False: it takes longer than requests should wait. */
  readonly quick: Promise<boolean>
  readonly done: Promise<unknown>
}
const kept = new WeakMap<Database['sql'], Kept>()

/**
 * The catalogue as this process knows it; read once for all requests.
 * @param seen the version that a query has just seen: when it is newer, what changed since is read first, or, when that is
 *   more than a moment's work, behind the back of requests
 */
export async function cachedCatalog(tools: CatalogTools, seen = 0): Promise<Catalog> {
  const known = kept.get(tools.db.sql) ?? readFirst(tools)
  let catalog = await known.current
  const { hideOutOfStock } = tools.settings
  if (known.hideOutOfStock !== hideOutOfStock) {
    known.hideOutOfStock = hideOutOfStock
    catalog = withCounts(catalog, hideOutOfStock)
    known.current = Promise.resolve(catalog)
  }
  // More than once: what was under way may have begun before that version.
  for (let tries = 0; tries < 3 && catalog.version < seen; tries += 1) {
    known.underWay ??= update(tools, known, catalog)
    const { quick, done } = known.underWay
    if (!(await quick)) break
    await done
    catalog = await known.current
  }
  const nextReading = known.readAt + Math.max(longestMs, known.tookMs * shareOfTime)
  // Nobody waits for what is most likely the same.
  if (tools.clock.now().getTime() > nextReading) known.underWay ??= readAgain(tools, known, catalog)
  return catalog
}

/**
 * Resolves when this process knows the newest version, however long it takes.
 * @returns what has changed since it was asked last, whoever has read it
 */
export async function waitForNewestCatalog(tools: CatalogTools): Promise<CatalogUpdate> {
  const known = kept.get(tools.db.sql)
  if (!known) return { change: null, since: null, version: 0 }
  const before = await known.current
  known.underWay ??= update(tools, known, before)
  await known.underWay.done
  const after = await known.current
  const { version } = await changesSince(tools.db.sql, after.version)
  // Something else changed while it was read; without progress it would fail again.
  if (version > after.version)
    return after === before ? { change: null, since: null, version: 0 } : waitForNewestCatalog(tools)
  // Not `after.version`: what somebody has read since then is in what was touched.
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

/** The top categories that hold products, for the menu. */
export async function readMenu(tools: CatalogTools): Promise<CategoryFacts[]> {
  const tree = await catalogTree(tools)
  return tree.top.filter(({ count }) => count > 0).map((category) => categoryFacts(tree, category))
}

function readFirst(tools: CatalogTools): Kept {
  const { hideOutOfStock } = tools.settings
  const readAt = tools.clock.now().getTime()
  const fresh: Kept = {
    current: read(tools),
    version: 0,
    hideOutOfStock,
    readAt,
    tookMs: 0,
    underWay: null,
    touched: null,
    toldVersion: null,
  }
  kept.set(tools.db.sql, fresh)
  fresh.current.then(
    ({ version }) => {
      fresh.version = version
      fresh.tookMs = tools.clock.now().getTime() - readAt
    },
    // A failure must not be remembered.
    () => kept.get(tools.db.sql) === fresh && kept.delete(tools.db.sql),
  )
  return fresh
}

function update(tools: CatalogTools, known: Kept, catalog: Catalog): Update {
  const patched = patch(tools, known, catalog)
  const all = patched.then((ready) => (ready ? undefined : replaced(tools, known)))
  return settled(known, catalog, patched, all)
}

function readAgain(tools: CatalogTools, known: Kept, catalog: Catalog): Update {
  return settled(known, catalog, Promise.resolve(false), replaced(tools, known))
}

/** A failure leaves what was known; the next request that sees a newer version tries again. */
function settled(known: Kept, { index }: Catalog, patched: Promise<boolean>, all: Promise<unknown>): Update {
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

/** Brings single products up to date. @returns false: that does not do, all must be read again */
async function patch({ db, settings }: CatalogTools, known: Kept, catalog: Catalog): Promise<boolean> {
  const { version, products } = await changesSince(db.sql, catalog.version)
  if (products === null) return version === catalog.version
  const rows = (await indexRowsOf(db.sql, products)).map(catalog.book.indexed)
  const changed = rows.flatMap((row) => row ?? [])
  // Gone or hidden from listings: their numbers would have to go too.
  const gone = products.some((id) => numberOf(catalog.index, id) >= 0 && !changed.some((row) => row.id === id))
  const index = rows.includes(null) || gone ? null : withProducts(catalog.index, changed)
  if (!index) return false
  const next = withCounts({ ...catalog, version, index }, settings.hideOutOfStock)
  known.current = Promise.resolve(next)
  known.version = version
  noteTouched(known, products, catalog, next)
  return true
}

/** Where the products stood and where they stand now. Which categories there is anything in, the menu of every page says. */
function noteTouched(known: Kept, products: readonly number[], before: Catalog, after: Catalog): void {
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

async function replaced(tools: CatalogTools, known: Kept): Promise<void> {
  const readAt = tools.clock.now().getTime()
  const catalog = await read(tools)
  // A search must not wait for what it had a moment ago.
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
      // What is filed under a term that has just been made comes with the next version.
      const product = book.indexed(row)
      if (product) draft.add(product)
    }
  }
  const index = draft.finish()
  // Sorting all at once would hold up every visitor: some milliseconds for each order, and others in between.
  for (const order of productOrders) {
    await nextTurn()
    orderOf(index, order)
  }
  const uncounted = treeOf(terms.categories.map((category) => ({ ...category, count: 0 })))
  const bare: Catalog = { version: terms.version, tree: uncounted, book, index, words: { read: null } }
  void catalogWords(tools, bare)
  return withCounts(bare, settings.hideOutOfStock)
}

/** The words of its products: read with it, and read again by whoever asks after that has failed. */
export function catalogWords(
  tools: Pick<CatalogTools, 'db' | 'translator'>,
  { words, book, index }: Catalog,
): Promise<Words> {
  if (words.read) return words.read
  const read = readWords(tools, book, index)
  words.read = read
  // Whoever searches is told; before that nobody is.
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

/** An index with the spellings of its words, which are made when the first of them is misspelled. */
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

/** What every listing asks of its products. */
export function listingClauses(hideOutOfStock: boolean, where = inCatalog): Clause[] {
  return [{ anyOf: [where] }, ...(hideOutOfStock ? [{ anyOf: [stockTerms.instock, stockTerms.onbackorder] }] : [])]
}
