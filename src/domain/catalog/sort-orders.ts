import type { ProductColumns, ProductIndex } from './product-index.ts'

/** The orders besides the menu order, which is that of the product numbers. */
export type ProductOrder = 'popularity' | 'rating' | 'date' | 'price' | 'price-desc'
export const productOrders: readonly ProductOrder[] = ['popularity', 'rating', 'date', 'price', 'price-desc']

/** Numbers of products in an order, and the place of each. */
export type Sequence = { readonly sequence: Uint32Array; readonly places: Uint32Array }

type Compare = (columns: ProductColumns, a: number, b: number) => number

/**
 * Each ends with the id, so that pages neither repeat nor lose a product. Products without a price are last both ways.
 */
const comparisons: Readonly<Record<ProductOrder, Compare>> = {
  popularity: ({ sales, id }, a, b) => down(sales, a, b) || down(id, a, b),
  rating: ({ rating, ratings, id }, a, b) => down(rating, a, b) || down(ratings, a, b) || down(id, a, b),
  date: ({ createdMs, id }, a, b) => down(createdMs, a, b) || down(id, a, b),
  price: ({ lowest, id }, a, b) => unpriced(lowest, a, b) || down(lowest, b, a) || down(id, b, a),
  'price-desc': ({ lowest, id }, a, b) => unpriced(lowest, a, b) || down(lowest, a, b) || down(id, a, b),
}

type Column = Float64Array | Float32Array | Uint32Array

function down(column: Column, a: number, b: number): number {
  return (column[b] ?? 0) - (column[a] ?? 0) || 0
}

function unpriced(lowest: Float64Array, a: number, b: number): number {
  return Number(Number.isNaN(lowest[a])) - Number(Number.isNaN(lowest[b]))
}

/** Sorted on first use. */
export function orderOf({ size, columns, orders }: ProductIndex, order: ProductOrder): Sequence {
  const known = orders.get(order)
  if (known) return known
  const compare = comparisons[order]
  const sequence = Uint32Array.from({ length: size }, (_, nr) => nr).sort((a, b) => compare(columns, a, b))
  const places = new Uint32Array(size)
  for (const [place, nr] of sequence.entries()) places[nr] = place
  const made = { sequence, places }
  orders.set(order, made)
  return made
}
