import { Fragment } from 'react'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { amountParts, amountText, formatAmount, minusSign, type PriceFormat } from '#domain/money/format-amount.ts'
import type { Money } from '#domain/money/money.ts'
import type { PriceFacts, PriceSuffix } from '#shop/catalog/catalog-facts.ts'
import { type ShopContextValue, useShop } from '../shared/shop-context.tsx'
import { currencySymbol } from './currency-symbol.ts'

/** Keeps a minus sign before its digits in right-to-left text. */
const leading = (sign: string) => `\u200e${sign}`

/** A symbol of several characters must stay together there: CA$ would be displayed as $CA. */
const isLong = (sign: string) => sign.length > 1

/**
 * Formats an amount for prose and attributes: $1,234.50. In right-to-left text it is isolated, so that neither its
 * currency nor its neighbours change places.
 */
export function priceText(shop: Formatting & Pick<ShopContextValue, 'dir'>, value: Money): string {
  const written = [value, formatOf(shop, value.currency), currencySymbol(value.currency)] as const
  if (shop.dir !== 'rtl') return formatAmount(...written)
  const parts = amountParts(...written)
  const symbol = isLong(parts.symbol) ? `\u2068${parts.symbol}\u2069` : parts.symbol
  return `\u2067${amountText({ ...parts, symbol }).replace(minusSign, leading)}\u2069`
}

type Formatting = Pick<ShopContextValue, 'currency' | 'priceFormat' | 'otherFormats'>

/**
 * Returns the price format of a currency. An order keeps its currency: without rules of the shop it uses the shop's own
 * format.
 */
function formatOf({ currency, priceFormat, otherFormats }: Formatting, code: string): PriceFormat {
  if (code === currency) return priceFormat
  const { symbol: _symbol, ...own } = priceFormat
  return otherFormats?.[code] ?? { ...own, decimals: currencyExponent(code) }
}

type AmountProps = {
  value: Money
  hidden?: boolean
  /** Writes a negative amount with a hyphen, as the wire contract has the row of a coupon. */
  hyphen?: boolean
}

/** An amount in the markup that third-party scripts expect. */
export function Amount({ value, hidden = false, hyphen = false }: AmountProps) {
  const shop = useShop()
  const rtl = shop.dir === 'rtl'
  const format = formatOf(shop, value.currency)
  const { negative, symbol, digits, codeBefore, codeAfter } = amountParts(value, format, currencySymbol(value.currency))
  const minus = hyphen ? '-' : minusSign
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
        {negative && (rtl ? leading(minus) : minus)}
        {codeBefore}
        {first && sign}
        {first ? `${gap}${digits}` : `${digits}${gap}`}
        {!first && sign}
        {codeAfter}
      </bdi>
    </span>
  )
}

/** The content of `.price`: one amount, a former and a current one, or a range; empty for a product without price. */
export function PriceHtml({ price }: { price: PriceFacts }) {
  if (price.kind === 'none') return null
  return (
    <Fragment>
      <PriceAmounts price={price} />
      {price.suffix && <PriceSuffixText {...price.suffix} />}
    </Fragment>
  )
}

/** The merchant's suffix after a price, with its amounts filled in. */
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

/** A note whether prices include tax, where they are displayed differently from how they are entered. */
export function TaxLabel() {
  const { taxDisplayCart, pricesIncludeTax, t } = useShop()
  if ((taxDisplayCart === 'incl') === pricesIncludeTax) return null
  return <small className="tax_label"> {taxDisplayCart === 'incl' ? t('(incl. tax)') : t('(ex. tax)')}</small>
}
