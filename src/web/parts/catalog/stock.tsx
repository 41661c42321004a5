import type { StockStatus } from '#shop/catalog/catalog-facts.ts'
import { type ShopContextValue, useShop } from '../shared/shop-context.tsx'

export type StockLine = {
  stock: StockStatus
  /** Null: not managed. */
  stockQuantity: number | null
  backorders: 'no' | 'notify' | 'yes'
  lowStockAmount: number
}

/** Returns the text of a product's stock and its class; null without a text. */
export function stockText(
  shop: Pick<ShopContextValue, 't' | 'n' | 'stockFormat'>,
  { stock, stockQuantity, backorders, lowStockAmount }: StockLine,
): { text: string; className: string } | null {
  const { t, n, stockFormat } = shop
  if (stock === 'outofstock') return { text: t('Out of stock'), className: 'out-of-stock' }
  if (stock === 'onbackorder' || (stockQuantity !== null && stockQuantity <= 0)) {
    if (stockQuantity !== null && backorders === 'yes') return null
    return { text: t('Available on backorder'), className: 'available-on-backorder' }
  }
  if (stockQuantity === null) return null
  const low = stockQuantity <= lowStockAmount
  const more = backorders === 'notify' ? ` ${t('(can be backordered)')}` : ''
  if (stockFormat === 'always') return { text: t('%s in stock', stockQuantity) + more, className: 'in-stock' }
  if (stockFormat === 'low' && low) {
    return {
      text: n(stockQuantity, 'Only %s left in stock', 'Only %s left in stock') + more,
      className: 'in-stock low-stock',
    }
  }
  return { text: t('In stock') + more, className: 'in-stock' }
}

/** The availability line of a product or variation. */
export function Stock(line: StockLine) {
  const found = stockText(useShop(), line)
  return found && <p className={`stock ${found.className}`}>{found.text}</p>
}
