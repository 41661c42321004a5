/** Stock of a product, as the cart needs it. */
export type StockFacts = {
  /** Product whose stock is managed; null: stock is not managed, and `stockStatus` decides. */
  readonly stockOwner: number | null
  /** Pieces on hand; null when stock is not managed. */
  readonly stockQuantity: number | null
  /** Pieces reserved by unpaid orders of other visitors. */
  readonly reservedByOthers: number
  readonly backorders: 'no' | 'notify' | 'yes'
  readonly stockStatus: 'instock' | 'outofstock' | 'onbackorder'
}

/** @param threshold at or below this many counted pieces a product is out of stock */
export function isInStock({ stockOwner, stockQuantity, backorders, stockStatus }: StockFacts, threshold = 0): boolean {
  if (stockOwner === null) return stockStatus !== 'outofstock'
  return (stockQuantity ?? 0) > threshold || backorders !== 'no'
}

/** Returns the available pieces; null: unlimited, without stock management or with backorders. */
export function availablePieces({
  stockOwner,
  stockQuantity,
  reservedByOthers,
  backorders,
}: StockFacts): number | null {
  if (stockOwner === null || backorders !== 'no') return null
  return Math.max(0, (stockQuantity ?? 0) - reservedByOthers)
}

/** Reports whether the quantity needs a backorder notice. */
export function needsBackorder(stock: StockFacts, quantity: number): boolean {
  if (stock.stockOwner === null) return stock.stockStatus === 'onbackorder'
  return stock.backorders === 'notify' && quantity > (stock.stockQuantity ?? 0) - stock.reservedByOthers
}

/** Returns the maximum quantity of one line: 1 when sold individually, the available pieces, null without limit. */
export function maxQuantity(stock: StockFacts & { readonly soldIndividually: boolean }): number | null {
  return stock.soldIndividually ? 1 : availablePieces(stock)
}

export type CheckedLine = StockFacts & { readonly key: string; readonly quantity: number }

export type StockFault =
  | { readonly reason: 'out-of-stock'; readonly key: string }
  | { readonly reason: 'not-enough'; readonly key: string; readonly available: number }

/**
 * Returns the first line without sufficient stock, summing all lines of the same stock; null: all are available.
 * @param soldOutAt at or below this managed stock a product is out of stock
 */
export function stockFault(lines: readonly CheckedLine[], soldOutAt = 0): StockFault | null {
  for (const line of lines) {
    const available = availablePieces(line)
    // Stock reserved to the last piece counts as sold: there is no quantity to lower it to.
    if (!isInStock(line, soldOutAt) || available === 0) return { reason: 'out-of-stock', key: line.key }
    if (available !== null && available < wanted(lines, line.stockOwner))
      return { reason: 'not-enough', key: line.key, available }
  }
  return null
}

function wanted(lines: readonly CheckedLine[], stockOwner: number | null): number {
  return lines.reduce((pieces, line) => (line.stockOwner === stockOwner ? pieces + line.quantity : pieces), 0)
}
