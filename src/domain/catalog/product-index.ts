import {
  addAll,
  addBit,
  allBits,
  type Bits,
  bitsFrom,
  countBits,
  countCommon,
  eachBit,
  hasBit,
  keepCommon,
  noBits,
  without,
} from './bit-set.ts'
import { orderOf, type ProductOrder, type Sequence } from './sort-orders.ts'

/**
 * The in-memory index of listings: the terms of products (a category, a tag, an attribute value, a stock status, …),
 * their prices, and their orders. A product is identified by its number, its place in menu order. An index is immutable
 * and replaced as a whole.
 */
export type ProductIndex = {
  readonly size: number
  readonly columns: ProductColumns
  /** The terms of product `nr` are `terms[starts[nr]]` up to `terms[starts[nr + 1]]`. */
  readonly starts: Uint32Array
  readonly terms: Uint32Array
  readonly sets: readonly TermSet[]
  /** The numbers of the products sorted by their ids. */
  readonly byId: Uint32Array
  readonly orders: Map<ProductOrder, Sequence>
  /** Number of products visited individually so far: work that could grow with the shop. */
  readonly meter: { steps: number }
}

export type IndexedProduct = {
  readonly id: number
  /** Changes when the product's place in the menu may. */
  readonly mark: number
  /** Whole minor units as entered. Null: not for sale. */
  readonly lowest: number | null
  readonly highest: number | null
  /** Products of one group are taxed alike. */
  readonly taxGroup: number
  readonly createdMs: number
  readonly sales: number
  readonly rating: number
  readonly ratings: number
  /** Numbers of terms. */
  readonly terms: readonly number[]
}

export type ProductColumns = {
  readonly id: Float64Array
  readonly mark: Int32Array
  /** NaN: not for sale. */
  readonly lowest: Float64Array
  readonly highest: Float64Array
  readonly taxGroup: Uint16Array
  readonly createdMs: Float64Array
  readonly sales: Float64Array
  readonly rating: Float32Array
  readonly ratings: Uint32Array
}

/** A small set is a list, a large one bits: whichever is smaller. */
type TermSet = { readonly count: number; readonly list: Uint32Array | null; readonly bits: Bits | null }

/**
 * Creates an index product by product, in menu order; `finish` returns it.
 * @param termCount one more than the highest number of a term
 */
export function productIndexDraft(termCount: number) {
  let room = 1024
  let columns = emptyColumns(room)
  let starts = new Uint32Array(room + 1)
  let terms = new Uint32Array(room * 8)
  let size = 0

  function add(product: IndexedProduct): void {
    if (size === room) {
      room *= 2
      columns = copyInto(emptyColumns(room), columns)
      starts = copyInto({ starts: new Uint32Array(room + 1) }, { starts }).starts
    }
    setColumns(columns, size, product)
    const start = starts[size] ?? 0
    if (start + product.terms.length > terms.length) {
      terms = copyInto({ terms: new Uint32Array(terms.length * 2 + product.terms.length) }, { terms }).terms
    }
    terms.set(product.terms, start)
    size += 1
    starts[size] = start + product.terms.length
  }

  function finish(): ProductIndex {
    const cut = copyInto(emptyColumns(size), columns)
    const ends = starts.slice(0, size + 1)
    const all = terms.slice(0, ends[size])
    const { id } = cut
    const byId = Uint32Array.from({ length: size }, (_, nr) => nr).sort((a, b) => (id[a] ?? 0) - (id[b] ?? 0))
    return {
      size,
      columns: cut,
      starts: ends,
      terms: all,
      sets: termSets(size, ends, all, termCount),
      byId,
      orders: new Map(),
      meter: { steps: 0 },
    }
  }
  return { add, finish }
}

function emptyColumns(size: number): ProductColumns {
  return {
    id: new Float64Array(size),
    mark: new Int32Array(size),
    lowest: new Float64Array(size),
    highest: new Float64Array(size),
    taxGroup: new Uint16Array(size),
    createdMs: new Float64Array(size),
    sales: new Float64Array(size),
    rating: new Float32Array(size),
    ratings: new Uint32Array(size),
  }
}

function setColumns(columns: ProductColumns, nr: number, product: IndexedProduct): void {
  columns.id[nr] = product.id
  columns.mark[nr] = product.mark
  columns.lowest[nr] = product.lowest ?? Number.NaN
  columns.highest[nr] = product.highest ?? Number.NaN
  columns.taxGroup[nr] = product.taxGroup
  columns.createdMs[nr] = product.createdMs
  columns.sales[nr] = product.sales
  columns.rating[nr] = product.rating
  columns.ratings[nr] = product.ratings
}

type Column = ProductColumns[keyof ProductColumns]

/** Copies columns into columns of the same names, as far as they fit. */
function copyInto<Columns extends Record<string, Column>>(into: Columns, from: Columns): Columns {
  for (const [name, column] of Object.entries(into)) {
    const source = from[name]
    if (source) column.set(source.subarray(0, column.length))
  }
  return into
}

function termSets(size: number, starts: Uint32Array, terms: Uint32Array, termCount: number): TermSet[] {
  const counts = new Uint32Array(termCount)
  for (const term of terms) counts[term] = (counts[term] ?? 0) + 1
  const sets: TermSet[] = Array.from(counts, (count) =>
    count > size / 32 ? { count, list: null, bits: noBits(size) } : { count, list: new Uint32Array(count), bits: null },
  )
  const filled = new Uint32Array(termCount)
  for (let nr = 0; nr < size; nr += 1) {
    for (let at = starts[nr] ?? 0; at < (starts[nr + 1] ?? 0); at += 1) {
      const term = terms[at] ?? 0
      const set = sets[term]
      if (set?.bits) addBit(set.bits, nr)
      else if (set?.list) set.list[filled[term] ?? 0] = nr
      filled[term] = (filled[term] ?? 0) + 1
    }
  }
  return sets
}

/** Returns the number of the product with this id; -1 without one. */
export function numberOf({ columns, byId }: ProductIndex, id: number): number {
  let low = 0
  let high = byId.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((columns.id[byId[middle] ?? 0] ?? 0) < id) low = middle + 1
    else high = middle
  }
  const nr = byId[low]
  return nr !== undefined && columns.id[nr] === id ? nr : -1
}

/**
 * Returns the index with updated products.
 * @returns null when a product is new, gone, or at another place of the menu: then a full read is required
 */
export function withProducts(index: ProductIndex, changed: readonly IndexedProduct[]): ProductIndex | null {
  const { size, columns, starts, sets } = index
  const at = new Map<number, IndexedProduct>()
  for (const product of changed) {
    const nr = numberOf(index, product.id)
    if (nr < 0 || columns.mark[nr] !== product.mark) return null
    if (product.terms.some((term) => term >= sets.length)) return null
    at.set(nr, product)
  }
  const copy = copyInto(emptyColumns(size), columns)
  for (const [nr, product] of at) setColumns(copy, nr, product)
  const freshStarts = new Uint32Array(size + 1)
  for (let nr = 0; nr < size; nr += 1) {
    const length = at.get(nr)?.terms.length ?? (starts[nr + 1] ?? 0) - (starts[nr] ?? 0)
    freshStarts[nr + 1] = (freshStarts[nr] ?? 0) + length
  }
  const terms = new Uint32Array(freshStarts[size] ?? 0)
  let done = 0
  const copyUntil = (end: number) => {
    terms.set(index.terms.subarray(starts[done] ?? 0, starts[end] ?? 0), freshStarts[done] ?? 0)
    done = end
  }
  for (const nr of [...at.keys()].sort((a, b) => a - b)) {
    copyUntil(nr)
    terms.set(at.get(nr)?.terms ?? [], freshStarts[nr] ?? 0)
    done = nr + 1
  }
  copyUntil(size)
  // An order whose data is unchanged is reused: sorting is expensive.
  const moved = (...names: (keyof ProductColumns)[]) =>
    [...at.keys()].some((nr) => names.some((name) => !Object.is(columns[name][nr], copy[name][nr])))
  const orders = new Map(index.orders)
  if (moved('sales')) orders.delete('popularity')
  if (moved('rating', 'ratings')) orders.delete('rating')
  if (moved('createdMs')) orders.delete('date')
  if (moved('lowest')) for (const order of ['price', 'price-desc'] as const) orders.delete(order)
  return {
    ...index,
    columns: copy,
    starts: freshStarts,
    terms,
    sets: termSets(size, freshStarts, terms, sets.length),
    orders,
  }
}

/** Returns the terms of one product. */
export function termsOf({ starts, terms }: ProductIndex, nr: number): Uint32Array {
  return terms.subarray(starts[nr] ?? 0, starts[nr + 1] ?? 0)
}

/** A condition: the product has at least one of these terms. */
export type Clause = { readonly anyOf: readonly number[] }

/** Returns products that match all conditions. @param among the candidates; default: all */
export function productsWith(index: ProductIndex, clauses: readonly Clause[], among?: Bits): Bits {
  const found = among ? among.slice() : allBits(index.size)
  for (const { anyOf } of clauses) keepCommon(found, unionOf(index, anyOf))
  return found
}

function unionOf({ size, sets, meter }: ProductIndex, terms: readonly number[]): Bits {
  const [only] = terms
  const alone = terms.length === 1 && only !== undefined ? sets[only]?.bits : null
  if (alone) return alone
  const union = noBits(size)
  for (const term of terms) {
    const set = sets[term]
    if (set?.bits) addAll(union, set.bits)
    else if (set?.list) {
      for (const nr of set.list) addBit(union, nr)
      meter.steps += set.list.length
    }
  }
  return union
}

/**
 * Returns the number of products found for each term: one entry for each existing term, 0 for those not requested.
 * Counted by products or by term sets, whichever is faster.
 */
export function termCounts(
  index: ProductIndex,
  found: Bits,
  terms: readonly number[],
  count: number = countBits(found),
): Uint32Array {
  const { size, sets, starts } = index
  const bySets = terms.reduce((sum, term) => sum + (sets[term]?.list?.length ?? found.length), 0)
  const termsEach = (starts[size] ?? 0) / Math.max(1, size)
  // Counting the excluded products and subtracting is less work if they are fewer.
  const fewer = Math.min(count, size - count)
  // Terms of products are scattered in memory: reading one takes as long as four words of a set.
  if (bySets < fewer * termsEach * 4) return countBySets(index, found, terms)
  if (count === fewer) return countTerms(index, found)
  const missing = countTerms(index, without(allBits(size), found))
  return missing.map((number, term) => (sets[term]?.count ?? 0) - number)
}

function countBySets({ sets, meter }: ProductIndex, found: Bits, terms: readonly number[]): Uint32Array {
  const counts = new Uint32Array(sets.length)
  for (const term of terms) {
    const { bits, list } = sets[term] ?? {}
    counts[term] = bits ? countCommon(found, bits) : countListed(found, list ?? noMembers)
    meter.steps += list?.length ?? 0
  }
  return counts
}

const noMembers = new Uint32Array()

function countListed(found: Bits, list: Uint32Array): number {
  let count = 0
  for (let at = 0; at < list.length; at += 1) {
    const nr = list[at] ?? 0
    count += ((found[nr >>> 5] ?? 0) >>> (nr & 31)) & 1
  }
  return count
}

function countTerms({ starts, terms, sets, meter }: ProductIndex, found: Bits): Uint32Array {
  const counts = new Uint32Array(sets.length)
  for (let place = 0; place < found.length; place += 1) {
    for (let word = found[place] ?? 0; word !== 0; word &= word - 1) {
      const nr = place * 32 + 31 - Math.clz32(word & -word)
      const end = starts[nr + 1] ?? 0
      for (let at = starts[nr] ?? 0; at < end; at += 1) {
        const term = terms[at] ?? 0
        counts[term] = (counts[term] ?? 0) + 1
      }
    }
  }
  meter.steps += countBits(found)
  return counts
}

export type { ProductOrder } from './sort-orders.ts'

/** Returns a range of the found products' ids, in an order. */
export function idsInOrder(
  index: ProductIndex,
  {
    found,
    count,
    order,
    offset,
    limit,
  }: {
    found: Bits
    count: number
    order: ProductOrder | 'menu_order'
    offset: number
    limit: number
  },
): number[] {
  const { columns, meter } = index
  const end = Math.min(count, offset + limit)
  if (offset >= end) return []
  const numbers: number[] = []
  if (order === 'menu_order') return idsOf(columns, bitsFrom(found, offset, limit))
  const { sequence, places } = orderOf(index, order)
  // Walking the order finds a product every size / count steps; sorting all found ones costs count × log(count).
  if ((end * index.size) / count > count * Math.log2(count + 1)) {
    eachBit(found, (nr) => numbers.push(nr))
    meter.steps += count
    numbers.sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
    return idsOf(columns, numbers.slice(offset, end))
  }
  for (let at = 0; at < sequence.length && numbers.length < end; at += 1) {
    const nr = sequence[at] ?? 0
    meter.steps += 1
    if (hasBit(found, nr)) numbers.push(nr)
  }
  return idsOf(columns, numbers.slice(offset, end))
}

export function idsOf({ id }: ProductColumns, numbers: readonly number[]): number[] {
  return numbers.map((nr) => id[nr] ?? 0)
}
