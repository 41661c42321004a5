import { availablePieces, isInStock, needsBackorder, type StockFacts } from './stock.ts'

/** What a line remembers of its product, so that the visitor can be told what has changed since. */
export type LineSnapshot = {
  /** One piece as the merchant entered it: minor units of the currency. */
  readonly price: number
  readonly currency: string
  /** Pieces that could be promised; null when nobody counts. */
  readonly pieces: number | null
  readonly backorders: StockFacts['backorders']
  readonly stockStatus: StockFacts['stockStatus']
  /** Type and fixed options: what the visitor chose is another thing when these are others. */
  readonly shape: string
}

export type ProductSnapshot = StockFacts & {
  readonly type: string
  /** What fixes a variation: attribute slug → value, `''` for any. */
  readonly chosen: Readonly<Record<string, string>>
}

/** How well a wish can be served. */
export type Supply =
  | { readonly kind: 'in-stock' | 'on-backorder' | 'sold-out' }
  /** Fewer pieces than wanted. */
  | { readonly kind: 'too-few'; readonly pieces: number }

export type LineChange =
  | { readonly about: 'price'; readonly was: number; readonly is: number }
  | { readonly about: 'stock'; readonly was: Supply; readonly is: Supply }

/** @param price one piece, in minor units of `currency`, as entered */
export function memoryOf(product: ProductSnapshot, price: number, currency: string): LineSnapshot {
  const { stockOwner, stockQuantity, reservedByOthers, backorders, stockStatus } = product
  const pieces = stockOwner === null ? null : (stockQuantity ?? 0) - reservedByOthers
  return { price, currency, pieces, backorders, stockStatus, shape: shapeOf(product) }
}

export function shapeOf({ type, chosen }: ProductSnapshot): string {
  const options = Object.entries(chosen).map(([slug, value]) => `${slug}=${value}`)
  return [type, ...options.sort()].join('&')
}

/**
 * What is worth telling: another price, and stock that serves the wish otherwise than it would have. Both are judged for
 * the pieces that are wanted now, so that a visitor who wants more is not told that the shop has less.
 */
export function lineChanges(was: LineSnapshot, is: LineSnapshot, wanted: number): LineChange[] {
  const changes: LineChange[] = []
  if (was.currency === is.currency && was.price !== is.price)
    changes.push({ about: 'price', was: was.price, is: is.price })
  const before = supplyOf(was, wanted)
  const now = supplyOf(is, wanted)
  if (before.kind !== now.kind) changes.push({ about: 'stock', was: before, is: now })
  return changes
}

function supplyOf({ pieces, backorders, stockStatus }: LineSnapshot, wanted: number): Supply {
  const counted = pieces !== null
  const stock = { stockOwner: counted ? 0 : null, stockQuantity: pieces, reservedByOthers: 0, backorders, stockStatus }
  if (!isInStock(stock)) return { kind: 'sold-out' }
  const available = availablePieces(stock)
  if (available !== null && available < wanted) return { kind: 'too-few', pieces: available }
  return { kind: needsBackorder(stock, wanted) ? 'on-backorder' : 'in-stock' }
}
