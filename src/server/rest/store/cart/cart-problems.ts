import type { StoreCartRecord } from '#contract/cart/store-cart.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { stockFault } from '#domain/cart/stock.ts'
import { entryName } from '#shop/cart/cart-line-name.ts'
import type { EvaluatedCart } from '#shop/cart/evaluated-cart.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { droppedNotice, stockNotice } from '../../../cart/line-notices.ts'

const droppedCodes = {
  gone: 'woocommerce_rest_cart_invalid_product',
  'not-purchasable': 'woocommerce_rest_product_not_purchasable',
  changed: 'woocommerce_rest_cart_product_changed',
} as const

/** Returns the reasons why the cart cannot be ordered as it is: lines that are no longer sold, and missing stock. */
export function cartProblems(
  shop: ShopContextValue,
  { outOfStockAmount }: Pick<ShopSettings, 'outOfStockAmount'>,
  { dropped, entries }: Pick<EvaluatedCart, 'dropped' | 'entries'>,
): StoreCartRecord['errors'] {
  const gone = dropped.map((line) => ({ code: droppedCodes[line.reason], message: droppedNotice(shop, line).html }))
  const fault = stockFault(
    entries.map(({ line, product }) => ({ ...product, key: line.key, quantity: line.quantity })),
    outOfStockAmount,
  )
  if (!fault) return gone
  const entry = entries.find(({ line }) => line.key === fault.key)
  const code =
    fault.reason === 'out-of-stock'
      ? 'woocommerce_rest_product_out_of_stock'
      : 'woocommerce_rest_product_partially_out_of_stock'
  return [...gone, { code, message: stockNotice(shop, entry ? entryName(entry) : '', fault).html }]
}
