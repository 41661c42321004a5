import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countBits, eachBit } from './bit-set.ts'
import {
  type IndexedProduct,
  idsInOrder,
  numberOf,
  type ProductIndex,
  productIndexDraft,
  productsWith,
  termCounts,
  withProducts,
} from './product-index.ts'
import { keepPriced, priceSpans } from './product-prices.ts'
import { productOrders } from './sort-orders.ts'

const termCount = 12

const aProduct = fc.record({
  mark: fc.constant(0),
  lowest: fc.option(fc.integer({ min: 0, max: 50 })),
  more: fc.integer({ min: 0, max: 30 }),
  taxGroup: fc.integer({ min: 0, max: 1 }),
  createdMs: fc.integer({ min: 0, max: 5 }),
  sales: fc.integer({ min: 0, max: 5 }),
  rating: fc.integer({ min: 0, max: 3 }),
  ratings: fc.integer({ min: 0, max: 3 }),
  terms: fc.uniqueArray(fc.integer({ min: 0, max: termCount - 1 }), { maxLength: 6 }),
})
const products = fc
  .tuple(fc.array(aProduct, { maxLength: 150 }), fc.integer({ min: 1, max: 1000 }))
  .map(([rows, stride]) =>
    rows.map(
      ({ more, ...row }, nr): IndexedProduct => ({
        ...row,
        // Ids in no order, as of products that were moved in the menu.
        id: 1 + ((nr * stride * 7919 + 13) % 1_000_003),
        highest: row.lowest === null ? null : row.lowest + more,
        terms: row.terms.toSorted((a, b) => a - b),
      }),
    ),
  )
  .filter((rows) => new Set(rows.map(({ id }) => id)).size === rows.length)
const clauses = fc.array(fc.record({ anyOf: fc.array(fc.integer({ min: 0, max: termCount - 1 }), { maxLength: 4 }) }), {
  maxLength: 3,
})
const ranges = fc.option(
  fc.array(fc.record({ from: fc.integer({ min: 0, max: 60 }), to: fc.integer({ min: 0, max: 90 }) }), {
    minLength: 2,
    maxLength: 2,
  }),
)

function indexOf(rows: readonly IndexedProduct[]): ProductIndex {
  const draft = productIndexDraft(termCount)
  for (const row of rows) draft.add(row)
  return draft.finish()
}

const compare = {
  menu_order: () => 0,
  popularity: (a: IndexedProduct, b: IndexedProduct) => b.sales - a.sales || b.id - a.id,
  rating: (a: IndexedProduct, b: IndexedProduct) => b.rating - a.rating || b.ratings - a.ratings || b.id - a.id,
  date: (a: IndexedProduct, b: IndexedProduct) => b.createdMs - a.createdMs || b.id - a.id,
  price: (a: IndexedProduct, b: IndexedProduct) => (a.lowest ?? 999) - (b.lowest ?? 999) || a.id - b.id,
  'price-desc': (a: IndexedProduct, b: IndexedProduct) => (b.lowest ?? -1) - (a.lowest ?? -1) || b.id - a.id,
}

describe('the index of products', () => {
  it('LIST-06 finds, orders, pages and counts as looking through all rows does', () => {
    fc.assert(
      fc.property(
        products,
        clauses,
        ranges,
        fc.constantFrom('menu_order' as const, ...productOrders),
        fc.nat(60),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: termCount }),
        (rows, wanted, priced, order, offset, limit, every) => {
          const index = indexOf(rows)
          const unpriced = productsWith(index, wanted)
          const found = priced ? keepPriced(index, unpriced, priced) : unpriced
          const fits = rows.filter(
            ({ terms, lowest, highest, taxGroup }) =>
              wanted.every(({ anyOf }) => anyOf.some((term) => terms.includes(term))) &&
              (!priced ||
                (lowest !== null &&
                  highest !== null &&
                  highest >= (priced[taxGroup]?.from ?? 0) &&
                  lowest <= (priced[taxGroup]?.to ?? 0))),
          )
          const count = countBits(found)
          expect(count).toBe(fits.length)
          const page = idsInOrder(index, { found, count, order, offset, limit })
          const sorted = fits.toSorted(compare[order]).map(({ id }) => id)
          expect(page).toEqual(sorted.slice(offset, offset + limit))
          const counts = Array.from({ length: termCount }, (_, term) => fits.filter((row) => row.terms.includes(term)))
          const asked = Array.from({ length: termCount }, (_, term) => term).filter((term) => term % every === 0)
          const counted = termCounts(index, found, asked)
          expect(asked.map((term) => counted[term])).toEqual(asked.map((term) => counts[term]?.length))
          const prices = (group: number) => fits.filter(({ taxGroup, lowest }) => taxGroup === group && lowest !== null)
          expect(priceSpans(index, found, 2)).toEqual(
            [0, 1].map((group) =>
              prices(group).length === 0
                ? null
                : {
                    from: Math.min(...prices(group).map(({ lowest }) => lowest ?? 0)),
                    to: Math.max(...prices(group).map(({ highest }) => highest ?? 0)),
                  },
            ),
          )
        },
      ),
      { numRuns: 400 },
    )
  })

  it('with products changed is the index of the products as they are now', () => {
    fc.assert(
      fc.property(products, fc.array(fc.tuple(fc.nat(), aProduct), { maxLength: 5 }), (rows, changes) => {
        const before = indexOf(rows)
        // A cached order must not outlive its data.
        for (const order of productOrders) page(before, order)
        const after = [...rows]
        for (const [at, { more, ...change }] of changes) {
          const row = after[at % Math.max(1, after.length)]
          if (!row) continue
          const highest = change.lowest === null ? null : change.lowest + more
          after[after.indexOf(row)] = { ...change, highest, id: row.id, terms: change.terms.toSorted((a, b) => a - b) }
        }
        const patched = withProducts(
          before,
          after.filter((row) => !rows.includes(row)),
        )
        expect(patched).not.toBeNull()
        if (!patched) return
        const fresh = indexOf(after)
        expect(patched.columns).toEqual(fresh.columns)
        expect(patched.starts).toEqual(fresh.starts)
        expect(patched.terms).toEqual(fresh.terms)
        expect(patched.sets).toEqual(fresh.sets)
        for (const order of productOrders) expect(page(patched, order)).toEqual(page(fresh, order))
      }),
      { numRuns: 200 },
    )
  })

  const page = (index: ProductIndex, order: (typeof productOrders)[number]) =>
    idsInOrder(index, { found: productsWith(index, []), count: index.size, order, offset: 0, limit: 1000 })

  it('cannot be patched with a product that is new, that moved in the menu, or that has a term of later', () => {
    const row: IndexedProduct = {
      id: 7,
      mark: 1,
      lowest: 1,
      highest: 1,
      taxGroup: 0,
      createdMs: 0,
      sales: 0,
      rating: 0,
      ratings: 0,
      terms: [1],
    }
    const index = indexOf([row])
    expect(withProducts(index, [{ ...row, id: 8 }])).toBeNull()
    expect(withProducts(index, [{ ...row, mark: 2 }])).toBeNull()
    expect(withProducts(index, [{ ...row, terms: [termCount] }])).toBeNull()
    expect(numberOf(index, 8)).toBe(-1)
  })

  it('looks at few products one by one, however many there are', () => {
    const size = 100_000
    const index = indexOf(
      Array.from({ length: size }, (_, nr) => ({
        id: nr + 1,
        mark: 0,
        lowest: (nr * 7919) % size,
        highest: (nr * 7919) % size,
        taxGroup: 0,
        createdMs: nr,
        sales: 0,
        rating: 0,
        ratings: 0,
        // In all products, in every eighth, in every 500th.
        terms: [0, ...(nr % 8 === 0 ? [1] : []), ...(nr % 500 === 0 ? [2] : [])],
      })),
    )
    const steps = (work: () => unknown) => {
      const before = index.meter.steps
      work()
      return index.meter.steps - before
    }
    const all = productsWith(index, [{ anyOf: [0] }])
    const eighth = productsWith(index, [{ anyOf: [0] }, { anyOf: [1] }])
    const few = productsWith(index, [{ anyOf: [0] }, { anyOf: [2] }])
    const ids = (found: typeof all, offset: number, order: 'menu_order' | 'price') => () =>
      idsInOrder(index, { found, count: countBits(found), order, offset, limit: 24 })
    expect(steps(ids(all, 50_000, 'menu_order'))).toBe(0)
    expect(steps(ids(all, 0, 'price'))).toBe(24)
    // One in eight matches: 24 of them are found after about 192.
    expect(steps(ids(eighth, 0, 'price'))).toBeLessThan(400)
    expect(steps(ids(few, 0, 'price'))).toBeLessThanOrEqual(200)
    expect(steps(() => productsWith(index, [{ anyOf: [0] }, { anyOf: [1, 2] }]))).toBe(200)
    // The total is the complement of none.
    expect(steps(() => termCounts(index, all, [0, 1, 2]))).toBe(0)
    expect(steps(() => termCounts(index, few, [0, 1, 2]))).toBeLessThanOrEqual(200)
    // A bit for each product: the same work for any number of results.
    expect(steps(() => termCounts(index, eighth, [0, 1]))).toBe(0)
    let members = 0
    eachBit(few, () => {
      members += 1
    })
    expect(members).toBe(200)
  })
})
