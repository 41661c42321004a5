import { availablePieces, isInStock, needsBackorder, type StockFacts } from './stock.ts'

/** Snapshot of a line's product, for notices about later changes. */
export type LineSnapshot = {
  /** Price of one piece as entered: minor units of the currency. */
  readonly price: number
  readonly currency: string
  /** Available pieces; null when stock is not managed. */
  readonly pieces: number | null
  readonly backorders: StockFacts['backorders']
  readonly stockStatus: StockFacts['stockStatus']
  /** Type and fixed options: a change means another product. */
  readonly shape: string
}

export type ProductSnapshot = StockFacts & {
  readonly type: string
  /** Attributes of a variation: slug → value, `''` for any. */
  readonly chosen: Readonly<Record<string, string>>
}

/** Supply for a requested quantity. */
export type Supply =
  | { readonly kind: 'in-stock' | 'on-backorder' | 'sold-out' }
  /** Less than the requested quantity. */
  | { readonly kind: 'too-few'; readonly pieces: number }

export type LineChange =
  | { readonly about: 'price'; readonly was: number; readonly is: number }
  | { readonly about: 'stock'; readonly was: Supply; readonly is: Supply }

/** @param price one piece, in minor units of `currency`, as entered */
export function snapshotOf(product: ProductSnapshot, price: number, currency: string): LineSnapshot {
  const { stockOwner, stockQuantity, reservedByOthers, backorders, stockStatus } = product
  const pieces = stockOwner === null ? null : (stockQuantity ?? 0) - reservedByOthers
  return { price, currency, pieces, backorders, stockStatus, shape: shapeOf(product) }
}

export function shapeOf({ type, chosen }: ProductSnapshot): string {
  const options = Object.entries(chosen).map(([slug, value]) => `${slug}=${value}`)
  return [type, ...options.sort()].join('&')
}

/**
 * Returns the changes of a line's price and supply. Both snapshots are judged for the quantity of now: a larger
 * quantity is not reported as less stock.
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
