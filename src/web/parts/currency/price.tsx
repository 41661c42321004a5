import { Fragment } from 'react'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { amountParts, amountText, formatAmount, type PriceFormat } from '#domain/money/format-amount.ts'
import type { Money } from '#domain/money/money.ts'
import type { PriceFacts, PriceSuffix } from '#shop/catalog/catalog-facts.ts'
import { type ShopContextValue, useShop } from '../shared/shop-context.tsx'
import { currencySymbol } from './currency-symbol.ts'

/** A minus sign that stays before its digits where all else runs from right to left. */
const leadingMinus = '\u200e-'

/** A sign of several characters keeps together there: CA$ would be read as $CA. */
const isLong = (sign: string) => sign.length > 1

/**
 * An amount as it stands in prose and attributes: $1,234.50. In a text that runs from right to left it is isolated, so that
 * neither its currency nor what stands beside it changes places.
 */
export function priceText(shop: Formatting & Pick<ShopContextValue, 'dir'>, value: Money): string {
  const written = [value, formatOf(shop, value.currency), currencySymbol(value.currency)] as const
  if (shop.dir !== 'rtl') return formatAmount(...written)
  const parts = amountParts(...written)
  const symbol = isLong(parts.symbol) ? `\u2068${parts.symbol}\u2069` : parts.symbol
  return `\u2067${amountText({ ...parts, symbol }).replace('-', leadingMinus)}\u2069`
}

type Formatting = Pick<ShopContextValue, 'currency' | 'priceFormat' | 'otherFormats'>

/** An order keeps the currency that it was placed in: one that the shop has no rules for any more is written like its own. */
function formatOf({ currency, priceFormat, otherFormats }: Formatting, code: string): PriceFormat {
  if (code === currency) return priceFormat
  const { symbol: _symbol, ...own } = priceFormat
  return otherFormats?.[code] ?? { ...own, decimals: currencyExponent(code) }
}

/** An amount in the markup that scripts of the ecosystem look for. */
export function Amount({ value, hidden = false }: { value: Money; hidden?: boolean }) {
  const shop = useShop()
  const rtl = shop.dir === 'rtl'
  const format = formatOf(shop, value.currency)
  const { negative, symbol, digits, codeBefore, codeAfter } = amountParts(value, format, currencySymbol(value.currency))
  const sign = (
    <span className="woocommerce-Price-currencySymbol" translate="no" dir={rtl && isLong(symbol) ? 'auto' : undefined}>
      {symbol}
    </span>
  )
  const first = format.position === 'left' || format.position === 'left_space'
  const gap = format.position.endsWith('_space') ? '\u00a0' : ''
  return (
    <span className="woocommerce-Price-amount amount" aria-hidden={hidden || undefined} translate="no">
      <bdi dir={rtl ? 'rtl' : undefined}>
        {negative && (rtl ? leadingMinus : '-')}
        {codeBefore}
        {first && sign}
        {first ? `${gap}${digits}` : `${digits}${gap}`}
        {!first && sign}
        {codeAfter}
      </bdi>
    </span>
  )
}

/** What stands inside `.price`: one amount, a former and a present one, or a range; nothing for a product without price. */
export function PriceHtml({ price }: { price: PriceFacts }) {
  if (price.kind === 'none') return null
  return (
    <Fragment>
      <PriceAmounts price={price} />
      {price.suffix && <PriceSuffixText {...price.suffix} />}
    </Fragment>
  )
}

/** The merchant's own words after a price, with the figures that they ask for. */
function PriceSuffixText({ incl, excl }: PriceSuffix) {
  const { priceSuffix } = useShop()
  return (
    <small className="woocommerce-price-suffix">
      {' '}
      {priceSuffix.split(/(\{price_(?:in|ex)cluding_tax\})/).map((text) => {
        if (text === '{price_including_tax}') return <Amount key={text} value={incl} />
        return text === '{price_excluding_tax}' ? <Amount key={text} value={excl} /> : text
      })}
    </small>
  )
}

function PriceAmounts({ price }: { price: Exclude<PriceFacts, { kind: 'none' }> }) {
  const shop = useShop()
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
