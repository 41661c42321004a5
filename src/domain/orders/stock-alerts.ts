/** Stock of one product before and after a sale. */
export type StockSale = {
  readonly before: number
  readonly after: number
  /** Thresholds at or below which it is sold out, or low in stock. */
  readonly soldOutAt: number
  readonly lowAt: number
}

export type StockNews = 'low_stock' | 'no_stock' | 'backorder'

/**
 * Returns the stock alerts of a sale: a crossed threshold (only the lower one of two), and sold pieces that are not in
 * stock.
 */
export function stockNews({ before, after, soldOutAt, lowAt }: StockSale): StockNews[] {
  const crossed = (threshold: number) => before > threshold && after <= threshold
  const news: StockNews[] = []
  if (crossed(soldOutAt)) news.push('no_stock')
  else if (crossed(lowAt)) news.push('low_stock')
  if (after < 0 && after < before) news.push('backorder')
  return news
}
