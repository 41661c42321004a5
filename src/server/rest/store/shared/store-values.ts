import type { StoreAddressInput } from '#contract/addresses/store-address.ts'
import type { StoreCurrency } from '#contract/shared/store-money.ts'
import { urls } from '#contract/shared/urls.ts'
import type { StoreImage } from '#database/catalog/store-products.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import type { PriceFormat } from '#domain/money/format-amount.ts'
import { currencySymbol } from '#web/parts/currency/currency-symbol.ts'
import { pictureSet, renditionWidth } from '#web/parts/shared/picture.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import type { Visit } from '../../../http/visit.ts'

const known = new WeakMap<ShopContextValue, Map<string, StoreCurrency>>()

/** Returns the members that describe a currency; amounts are its minor units, also where prices show fewer decimals. */
export function currencyMembers(shop: ShopContextValue, code: string): StoreCurrency {
  const ofShop = known.get(shop) ?? new Map<string, StoreCurrency>()
  known.set(shop, ofShop)
  const made = ofShop.get(code) ?? membersOf(code, formatOf(shop, code))
  ofShop.set(code, made)
  return made
}

function formatOf({ currency, priceFormat, otherFormats }: ShopContextValue, code: string): PriceFormat {
  if (code === currency) return priceFormat
  const { symbol: _symbol, ...own } = priceFormat
  return otherFormats?.[code] ?? own
}

function membersOf(
  code: string,
  { position, symbol, decimalSeparator, thousandSeparator }: PriceFormat,
): StoreCurrency {
  const sign = symbol ?? currencySymbol(code)
  const gap = position.endsWith('_space') ? ' ' : ''
  const isBefore = position.startsWith('left')
  return {
    currency_code: code,
    currency_symbol: sign,
    currency_minor_unit: currencyExponent(code),
    currency_decimal_separator: decimalSeparator,
    currency_thousand_separator: thousandSeparator,
    currency_prefix: isBefore ? sign + gap : '',
    currency_suffix: isBefore ? '' : gap + sign,
  }
}

export const minor = (amount: number): string => String(amount)

/** Returns an image with absolute addresses. */
export function storeImageOf({ app }: Visit, image: StoreImage) {
  const at = app.tools.publicUrl
  const address = (width: number) => at + urls.media(image.hash, renditionWidth(image, width), 'webp')
  return {
    id: image.id,
    src: address(Number.POSITIVE_INFINITY),
    thumbnail: address(320),
    srcset: pictureSet(image, 'webp')
      .split(', ')
      .map((part) => at + part)
      .join(', '),
    sizes: '(max-width: 800px) 100vw, 800px',
    name: image.name,
    alt: image.alt,
  }
}

/** Returns posted members of an address as fields of the checkout form: `billing_city`. */
export function addressFields(
  kind: 'billing' | 'shipping',
  address: StoreAddressInput | undefined,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(address ?? {}).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${kind}_${key}`, value] as const] : [],
    ),
  )
}
