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

/** The settings as one currency has them: its code, and how prices are written in it. */
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

/** How prices of a view are written: with all decimals of its currency, unless the merchant says how many. */
export function priceFormatOf({ priceFormat, currency }: Pick<ShopSettings, 'priceFormat' | 'currency'>): PriceFormat {
  return { ...priceFormat, decimals: priceFormat.decimals ?? currencyExponent(currency) }
}

/**
 * Written as the language writes prices, unless the merchant says otherwise of the currency.
 * The shop's own sign is shared with no other currency.
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

/** Letters stand off from digits (CLDR): $60, and CHF 60. */
function spaced(position: PriceFormat['position'], symbol: string): PriceFormat['position'] {
  if (position === 'left' && /[^\p{S}\p{Z}]$/u.test(symbol)) return 'left_space'
  if (position === 'right' && /^[^\p{S}\p{Z}]/u.test(symbol)) return 'right_space'
  return position
}

/** @throws RangeError when the rule of the currency cannot be worked with */
export function exchangeTo(base: string, shown: OfferedCurrency): Exchange {
  const known = exchanges.get(shown)
  if (known?.from === base) return known
  const made = exchangeOf(base, exchangeRule(shown.setting, shown.rate))
  exchanges.set(shown, made)
  return made
}

const exchanges = new WeakMap<OfferedCurrency, Exchange>()

/** What is offered now, as the same objects as long as it is the same, so that what is made of them can be kept. */
export function followOffered(configuration: () => Pick<ShopConfiguration, 'settings' | 'rates'>, now: () => Date) {
  let last: readonly OfferedCurrency[] = []
  let of: ReturnType<typeof configuration> | undefined
  let from = 0
  let until = 0
  return (): readonly OfferedCurrency[] => {
    const current = configuration()
    const at = now()
    // Each page asks thirty times. A clock that was set back begins anew.
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

/** The currency of a view as scripts are told it; null where it is the shop's own. */
function currencyEntry({ tools: { settings }, ownCurrency, currencies }: Showing): CurrencyEntry | null {
  if (settings.currency === ownCurrency) return null
  const offered = currencies()
  const at = offered.findIndex(({ code }) => code === settings.currency)
  const shown = offered[at]
  if (!shown) return null
  const { position, decimals, decimalSeparator, thousandSeparator, symbol } = priceFormatOf(settings)
  return {
    // The shop's own is the first.
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

/** The currency of a view as pages print it for scripts, made once for as long as it stays the same; null where it is the shop's own. */
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
