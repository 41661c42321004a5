import { urls } from '#contract/shared/urls.ts'
import type { Supply } from '#domain/cart/line-snapshot.ts'
import type { StockFault } from '#domain/cart/stock.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import type { DroppedLine } from '#shop/cart/evaluated-cart.ts'
import type { AnnouncedChange } from '#shop/cart/line-changes.ts'
import type { DisplayPrice } from '#shop/catalog/read-product-prices.ts'
import { priceText } from '#web/parts/currency/price.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { errorNotice, escapeHtml } from '../notices/cart-notices.tsx'

/** Returns the reason why a line left the cart. */
export function droppedNotice({ t }: ShopContextValue, { reason, name, slug }: DroppedLine): NoticeFacts {
  if (reason === 'gone') return errorNotice(t('An item that is no longer available was removed from your cart.'))
  if (reason === 'not-purchasable') {
    return errorNotice(t('“%s” was removed from your cart because it can no longer be purchased.', name))
  }
  const text = escapeHtml(t('“%s” was removed from your cart because it has been changed since you added it.', name))
  const link = slug ? ` <a href="${escapeHtml(urls.product(slug))}">${escapeHtml(t('View the product'))}</a>` : ''
  return { kind: 'notice', html: text + link }
}

/** Returns the changes of a product since the visitor added it, or last saw a notice. */
export function changeNotice(
  shop: ShopContextValue,
  display: DisplayPrice,
  { name, product, change }: AnnouncedChange,
): NoticeFacts {
  const { t } = shop
  const text =
    change.about === 'price'
      ? t(
          'The price of “%s” has changed from %s to %s.',
          name,
          priceText(shop, display(change.was, product)),
          priceText(shop, display(change.is, product)),
        )
      : t('“%s” was %s before and is %s now.', name, supplyText(shop, change.was), supplyText(shop, change.is))
  return { kind: 'notice', html: escapeHtml(text) }
}

function supplyText({ t, n }: ShopContextValue, supply: Supply): string {
  switch (supply.kind) {
    case 'in-stock':
      return t('in stock')
    case 'on-backorder':
      return t('available on backorder')
    case 'sold-out':
      return t('out of stock')
    case 'too-few':
      return n(supply.pieces, 'down to one piece', 'down to %s pieces')
  }
}

/** Returns the reason why a cart cannot be ordered. */
export function stockNotice({ t, n }: ShopContextValue, name: string, fault: StockFault): NoticeFacts {
  return errorNotice(
    fault.reason === 'out-of-stock'
      ? t('“%s” is out of stock. Please remove it from your cart to continue.', name)
      : n(
          fault.available,
          'Only one of “%2$s” is left. Please reduce the quantity to continue.',
          'Only %1$s of “%2$s” are left. Please reduce the quantity to continue.',
          name,
        ),
  )
}
