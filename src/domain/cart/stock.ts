/** What the shop has of a product, as the cart needs to know it. */
export type StockFacts = {
  /** The product whose pieces are counted; null: nobody counts, and `stockStatus` decides. */
  readonly stockOwner: number | null
  /** Pieces on hand; null when nobody counts. */
  readonly stockQuantity: number | null
  /** Pieces that unpaid orders other than the visitor's own hold. */
  readonly reservedByOthers: number
  readonly backorders: 'no' | 'notify' | 'yes'
  readonly stockStatus: 'instock' | 'outofstock' | 'onbackorder'
}

/** @param threshold at or below this many counted pieces a product is out of stock */
export function isInStock({ stockOwner, stockQuantity, backorders, stockStatus }: StockFacts, threshold = 0): boolean {
  if (stockOwner === null) return stockStatus !== 'outofstock'
  return (stockQuantity ?? 0) > threshold || backorders !== 'no'
}

/** Pieces that can be promised; null: without limit, because nobody counts or more can be ordered. */
export function availablePieces({
  stockOwner,
  stockQuantity,
  reservedByOthers,
  backorders,
}: StockFacts): number | null {
  if (stockOwner === null || backorders !== 'no') return null
  return Math.max(0, (stockQuantity ?? 0) - reservedByOthers)
}

/** Whether some of these pieces would have to be ordered first, and the visitor should be told. */
export function needsBackorder(stock: StockFacts, quantity: number): boolean {
  if (stock.stockOwner === null) return stock.stockStatus === 'onbackorder'
  return stock.backorders === 'notify' && quantity > (stock.stockQuantity ?? 0) - stock.reservedByOthers
}

/** The largest quantity that one line may have: 1 when sold individually, what can be promised when counted, null without limit. */
export function maxQuantity(stock: StockFacts & { readonly soldIndividually: boolean }): number | null {
  return stock.soldIndividually ? 1 : availablePieces(stock)
}

export type CheckedLine = StockFacts & { readonly key: string; readonly quantity: number }

export type StockFault =
  | { readonly reason: 'out-of-stock'; readonly key: string }
  | { readonly reason: 'not-enough'; readonly key: string; readonly available: number }

/**
 * The first line that stock cannot serve, counting together all lines that take from the same pieces; null: all can be.
 * @param soldOutAt at or below this many counted pieces a product is out of stock
 */
export function stockFault(lines: readonly CheckedLine[], soldOutAt = 0): StockFault | null {
  for (const line of lines) {
    const available = availablePieces(line)
    // What others hold to the last piece is as good as sold: there is no quantity to lower it to.
    if (!isInStock(line, soldOutAt) || available === 0) return { reason: 'out-of-stock', key: line.key }
    if (available !== null && available < wanted(lines, line.stockOwner))
      return { reason: 'not-enough', key: line.key, available }
  }
  return null
}

function wanted(lines: readonly CheckedLine[], stockOwner: number | null): number {
  return lines.reduce((pieces, line) => (line.stockOwner === stockOwner ? pieces + line.quantity : pieces), 0)
}
