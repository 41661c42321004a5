import type { ShopSettings } from '#contract/shared/settings.ts'
import type { LanguageSetting } from '#contract/translation/language-settings.ts'
import type { ShopLanguage } from '#contract/translation/languages.ts'
import type { ShopConfiguration } from '#shop/operations/settings/shop-configuration.ts'

/** Returns the settings of one language: its tag, and its usual price format. */
export function settingsIn(settings: ShopSettings, { tag, slug }: ShopLanguage): ShopSettings {
  if (slug === '' && !settings.languages.some((one) => one.tag === tag)) return settings
  const known = inLanguages.get(settings) ?? new Map<string, ShopSettings>()
  inLanguages.set(settings, known)
  const before = known.get(tag)
  if (before) return before
  const own = settings.languages.find((one) => one.tag === tag)
  const made =
    slug === ''
      ? // The shop's own language listed twice: the entry has no address.
        { ...settings, languages: settings.languages.filter((one) => one.tag !== tag) }
      : { ...settings, language: tag, priceFormat: priceFormatIn(settings, tag, own?.priceFormat) }
  known.set(tag, made)
  return made
}

const inLanguages = new WeakMap<ShopSettings, Map<string, ShopSettings>>()

/** Returns the configuration with the settings of one language. Cached per reading: a page requests it repeatedly. */
export function configurationWith(
  settings: () => ShopSettings,
  configuration: () => ShopConfiguration,
): { readonly current: ShopConfiguration } {
  let from = configuration()
  let made = from
  return {
    get current() {
      const now = configuration()
      const own = settings()
      if (now !== from || own !== made.settings) {
        from = now
        made = now.settings === own ? now : { ...now, settings: own }
      }
      return made
    },
  }
}

type PriceFormat = ShopSettings['priceFormat']

/** Returns the price format of a language (CLDR), with Western digits; the merchant's settings override it. */
function priceFormatIn(
  { currency, priceFormat }: ShopSettings,
  tag: string,
  own: LanguageSetting['priceFormat'] = {},
): PriceFormat {
  const parts = new Intl.NumberFormat(`${tag}-u-nu-latn`, {
    style: 'currency',
    currency,
    // Also for currencies without decimals: a merchant may want some.
    minimumFractionDigits: 2,
  }).formatToParts(1234567.5)
  const of = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value
  const before = parts.findIndex(({ type }) => type === 'currency') < parts.findIndex(({ type }) => type === 'integer')
  const spaced = parts.some(({ type, value }) => type === 'literal' && /\s/.test(value))
  const side = before ? 'left' : 'right'
  return {
    position: own.position ?? (spaced ? `${side}_space` : side),
    decimals: own.decimals ?? priceFormat.decimals,
    decimalSeparator: own.decimalSeparator ?? of('decimal') ?? priceFormat.decimalSeparator,
    thousandSeparator: own.thousandSeparator ?? of('group') ?? priceFormat.thousandSeparator,
    symbol: priceFormat.symbol,
    codePosition: priceFormat.codePosition,
  }
}
