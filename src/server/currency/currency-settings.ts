import { printedSettings } from '#contract/shared/browser-settings.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { type Exchange, exchangeOf } from '#domain/currency/exchange.ts'
import type { CurrencyEntry } from '#domain/currency/pricing-rules.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import type { PriceFormat } from '#domain/money/format-amount.ts'
import {
  exchangeRule,
  type OfferedCurrency,
  offeredCurrencies,
  offeredUntil,
} from '#shop/currency/offered-currencies.ts'
import type { ShopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { currencySymbol, symbolBeside } from '#web/parts/currency/currency-symbol.ts'
import type { Application } from '../operations/startup/application.ts'

/** Returns the settings of one currency: its code, and its price format. */
export function settingsInCurrency(settings: ShopSettings, shown: OfferedCurrency): ShopSettings {
  const known = inCurrencies.get(settings) ?? new Map<string, { shown: OfferedCurrency; made: ShopSettings }>()
  inCurrencies.set(settings, known)
  const before = known.get(shown.code)
  if (before?.shown === shown) return before.made
  const made = { ...settings, currency: shown.code, priceFormat: formatIn(settings, shown) }
  known.set(shown.code, { shown, made })
  return made
}

const inCurrencies = new WeakMap<ShopSettings, Map<string, { shown: OfferedCurrency; made: ShopSettings }>>()

/** Returns the price format of a view: with all decimals of its currency, unless the merchant sets their number. */
export function priceFormatOf({ priceFormat, currency }: Pick<ShopSettings, 'priceFormat' | 'currency'>): PriceFormat {
  return { ...priceFormat, decimals: priceFormat.decimals ?? currencyExponent(currency) }
}

/**
 * Returns the format of a currency as usual in the language, unless the merchant overrides it. The shop's own symbol is
 * not used for other currencies.
 */
export function formatIn(
  { priceFormat, currency }: Pick<ShopSettings, 'priceFormat' | 'currency'>,
  { code, setting }: Pick<OfferedCurrency, 'code' | 'setting'>,
): PriceFormat {
  const symbol = setting.symbol ?? symbolBeside(code, currency)
  return {
    position: setting.position ?? spaced(priceFormat.position, symbol),
    decimals: setting.decimals ?? currencyExponent(code),
    decimalSeparator: setting.decimalSeparator ?? priceFormat.decimalSeparator,
    thousandSeparator: setting.thousandSeparator ?? priceFormat.thousandSeparator,
    symbol,
    codePosition: setting.codePosition,
  }
}

/** A space separates letters from digits (CLDR): $60, and CHF 60. */
function spaced(position: PriceFormat['position'], symbol: string): PriceFormat['position'] {
  if (position === 'left' && /[^\p{S}\p{Z}]$/u.test(symbol)) return 'left_space'
  if (position === 'right' && /^[^\p{S}\p{Z}]/u.test(symbol)) return 'right_space'
  return position
}

/** @throws RangeError when the currency's conversion rule is unusable */
export function exchangeTo(base: string, shown: OfferedCurrency): Exchange {
  const known = exchanges.get(shown)
  if (known?.from === base) return known
  const made = exchangeOf(base, exchangeRule(shown.setting, shown.rate))
  exchanges.set(shown, made)
  return made
}

const exchanges = new WeakMap<OfferedCurrency, Exchange>()

/**
 * Returns the offered currencies, as the same objects while they are the same, so that derived values can be cached.
 */
export function followOffered(configuration: () => Pick<ShopConfiguration, 'settings' | 'rates'>, now: () => Date) {
  let last: readonly OfferedCurrency[] = []
  let of: ReturnType<typeof configuration> | undefined
  let from = 0
  let until = 0
  return (): readonly OfferedCurrency[] => {
    const current = configuration()
    const at = now()
    // Each page asks thirty times. If the clock was set back, it is recomputed.
    const isSame = current.settings === of?.settings && current.rates === of.rates
    if (isSame && from <= at.getTime() && at.getTime() < until) return last
    of = { settings: current.settings, rates: current.rates }
    from = at.getTime()
    until = offeredUntil(current, at)
    const offered = offeredCurrencies(current, at)
    const same = (one: OfferedCurrency, other: OfferedCurrency | undefined) =>
      one.code === other?.code && one.rate === other.rate && one.setting === other.setting && one.day === other.day
    if (offered.length !== last.length || !offered.every((one, at) => same(one, last[at]))) last = offered
    return last
  }
}

/** Returns the view's currency for scripts; null for the shop's own. */
function currencyEntry({ tools: { settings }, ownCurrency, currencies }: Showing): CurrencyEntry | null {
  if (settings.currency === ownCurrency) return null
  const offered = currencies()
  const at = offered.findIndex(({ code }) => code === settings.currency)
  const shown = offered[at]
  if (!shown) return null
  const { position, decimals, decimalSeparator, thousandSeparator, symbol } = priceFormatOf(settings)
  return {
    // The first id is the shop's own currency.
    ID: at + 2,
    currency: shown.code,
    symbol: symbol ?? currencySymbol(shown.code),
    rate: shown.rate,
    fee: shown.setting.fee,
    currencyPosition: position,
    decimalSeparator,
    numberDecimal: decimals,
    thousandSeparator,
  }
}

/** Returns the view's currency as printed by pages, cached while it stays the same; null for the shop's own. */
export function currencyForScripts(app: Showing): Readonly<Record<string, unknown>> | null {
  const { settings } = app.tools
  const offered = app.currencies()
  const before = printed.get(settings)
  if (before?.offered === offered) return before.entry
  const entry = currencyEntry(app)
  const made = entry && Object.freeze(printedSettings(entry))
  printed.set(settings, { offered, entry: made })
  return made
}

const printed = new WeakMap<
  ShopSettings,
  { offered: readonly OfferedCurrency[]; entry: Readonly<Record<string, unknown>> | null }
>()

type Showing = Pick<Application, 'tools' | 'ownCurrency' | 'currencies'>
