import { Fragment } from 'react'
import { amountParts, formatAmount } from '#domain/money/format-amount.ts'
import type { Money } from '#domain/money/money.ts'
import type { PriceFacts } from '#shop/catalog-facts.ts'
import { currencySymbol } from './currency-symbol.ts'
import { type ShopContextValue, useShop } from './shop-context.tsx'

/** An amount as it stands in prose and attributes: $1,234.50 */
export function priceText(shop: ShopContextValue, value: Money): string {
  return formatAmount(value, shop.priceFormat, currencySymbol(value.currency))
}

/** An amount in the markup that scripts of the ecosystem look for. */
export function Amount({ value, hidden = false }: { value: Money; hidden?: boolean }) {
  const { priceFormat } = useShop()
  const { negative, symbol, digits } = amountParts(value, priceFormat, currencySymbol(value.currency))
  const sign = (
    <span className="woocommerce-Price-currencySymbol" translate="no">
      {symbol}
    </span>
  )
  const first = priceFormat.position === 'left' || priceFormat.position === 'left_space'
  const gap = priceFormat.position.endsWith('_space') ? '\u00a0' : ''
  return (
    <span className="woocommerce-Price-amount amount" aria-hidden={hidden || undefined}>
      <bdi>
        {negative && '-'}
        {first && sign}
        {first ? `${gap}${digits}` : `${digits}${gap}`}
        {!first && sign}
      </bdi>
    </span>
  )
}

/** What stands inside `.price`: one amount, a former and a present one, or a range; nothing for a product without price. */
export function PriceHtml({ price }: { price: PriceFacts }) {
  const shop = useShop()
  if (price.kind === 'none') return null
  if (price.kind === 'single') return <Amount value={price.price} />
  if (price.kind === 'sale') {
    return (
      <Fragment>
        <del aria-hidden="true">
          <Amount value={price.regular} />
        </del>{' '}
        <span className="screen-reader-text">{shop.t('Original price was: %s.', priceText(shop, price.regular))}</span>
        <ins aria-hidden="true">
          <Amount value={price.price} />
        </ins>
        <span className="screen-reader-text">{shop.t('Current price is: %s.', priceText(shop, price.price))}</span>
      </Fragment>
    )
  }
  return (
    <Fragment>
      <Amount value={price.from} hidden /> <span aria-hidden="true">–</span> <Amount value={price.to} hidden />
      <span className="screen-reader-text">
        {shop.t('Price range: %1$s through %2$s', priceText(shop, price.from), priceText(shop, price.to))}
      </span>
    </Fragment>
  )
}

/** Says whether a figure holds tax, where prices are entered the other way than they are shown. */
export function TaxLabel() {
  const { taxDisplayCart, pricesIncludeTax, t } = useShop()
  if ((taxDisplayCart === 'incl') === pricesIncludeTax) return null
  return <small className="tax_label"> {taxDisplayCart === 'incl' ? t('(incl. tax)') : t('(ex. tax)')}</small>
}
