/** A sale of one product's pieces, as its stock was before and is after it. */
export type StockSale = {
  readonly before: number
  readonly after: number
  /** At or below these many it is sold out, or running low. */
  readonly soldOutAt: number
  readonly lowAt: number
}

export type StockNews = 'low_stock' | 'no_stock' | 'backorder'

/**
 * What the shop is to hear of a sale: that it crossed a threshold (the lower one alone, when it crossed both), and that
 * pieces were sold which are not there yet.
 */
export function stockNews({ before, after, soldOutAt, lowAt }: StockSale): StockNews[] {
  const crossed = (threshold: number) => before > threshold && after <= threshold
  const news: StockNews[] = []
  if (crossed(soldOutAt)) news.push('no_stock')
  else if (crossed(lowAt)) news.push('low_stock')
  if (after < 0 && after < before) news.push('backorder')
  return news
}
