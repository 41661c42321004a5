import { describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import { languagesOf } from '#contract/translation/languages.ts'
import { formatAmount } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import type { ShopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { currencySymbol } from '#web/parts/currency/currency-symbol.ts'
import { priceFormatOf } from '../currency/currency-settings.ts'
import { configurationWith, settingsIn } from './locale-settings.ts'

const nbsp = '\u00a0'

/** @param given settings of the language @param shop settings of the shop */
function priced(tag: string, minor: number, given: object = {}, shop: object = {}) {
  const settings = shopSettings.parse({ ...shop, languages: [{ tag, slug: 'xx', ...given }] })
  const [, language] = languagesOf(settings)
  if (!language) throw new Error(`${tag} is not spoken`)
  const said = settingsIn(settings, language)
  const { currency } = said
  return formatAmount(money(minor, currency), priceFormatOf(said), currencySymbol(currency))
}

describe('a price', () => {
  it.each([
    ['de-DE', `1.234.567,50${nbsp}$`],
    ['fr-FR', `1\u202f234\u202f567,50${nbsp}$`],
    ['es-ES', `1.234.567,50${nbsp}$`],
    ['ja-JP', '$1,234,567.50'],
    ['ar', `1,234,567.50${nbsp}$`],
    ['ar-EG', `1,234,567.50${nbsp}$`],
    ['he', `1,234,567.50${nbsp}$`],
    ['nl-NL', `$${nbsp}1.234.567,50`],
    ['en-GB', '$1,234,567.50'],
  ])('in %s is written as is usual there, with Western digits', (tag, text) => {
    expect(priced(tag, 123_456_750)).toBe(text)
  })

  it('is written as the merchant says, as far as anything is said', () => {
    expect(priced('de-DE', 123_450, { priceFormat: { position: 'left', thousandSeparator: ' ' } })).toBe('$1 234,50')
    expect(priced('de-DE', 123_450, { priceFormat: { decimals: 0 } })).toBe(`1.235${nbsp}$`)
  })

  it('CUR-05 CUR-07 has the decimals of its currency, unless the merchant says how many: none is charged unseen', () => {
    const of = (currency: string, priceFormat = {}) => priced('de-DE', 12_345, {}, { currency, priceFormat })
    expect(of('KWD')).toBe(`12,345${nbsp}KWD`)
    expect(of('JPY')).toBe(`12.345${nbsp}¥`)
    expect(of('JPY', { decimals: 2 })).toBe(`12.345,00${nbsp}¥`)
  })
})

describe('the settings of a language', () => {
  it('are the same object until the merchant changes something, and the shop’s own where nothing differs', () => {
    const settings = shopSettings.parse({ languages: [{ tag: 'de-DE' }] })
    const [own, german] = languagesOf(settings)
    if (!own || !german) throw new Error('two languages are spoken')
    expect(settingsIn(settings, own)).toBe(settings)
    expect(settingsIn(settings, german)).toBe(settingsIn(settings, german))
    expect(settingsIn(settings, german).language).toBe('de-DE')
  })

  it('give the shop’s own language no address, though it is named among the others', () => {
    const settings = shopSettings.parse({ languages: [{ tag: 'en-US' }, { tag: 'de-DE' }] })
    const [own, ...others] = languagesOf(settings)
    if (!own) throw new Error('no language is spoken')
    expect(own.slug).toBe('')
    expect(others.map(({ tag }) => tag)).toEqual(['de-DE'])
    expect(settingsIn(settings, own).languages.map(({ tag }) => tag)).toEqual(['de-DE'])
  })
})

describe('the configuration of a language', () => {
  const read = (faults: ShopConfiguration['faults'] = []): ShopConfiguration => ({
    settings,
    files: {},
    taxRates: [],
    shippingZones: [],
    rates: new Map(),
    faults,
  })
  const settings = shopSettings.parse({ languages: [{ tag: 'de-DE' }] })

  it('is the same object until anything of it is read anew, and then has all of that', () => {
    let now = read()
    let own = shopSettings.parse({ language: 'de-DE' })
    const configuration = configurationWith(
      () => own,
      () => now,
    )
    const first = configuration.current
    expect(first).toEqual({ ...now, settings: own })
    expect(configuration.current).toBe(first)

    // Other parts of the configuration change without the settings.
    now = read([{ rule: 'shipping zone 4', problem: 'has no place' }])
    expect(configuration.current).toEqual({ ...now, settings: own })
    own = shopSettings.parse({ language: 'de-DE', name: 'Laden' })
    expect(configuration.current.settings.name).toBe('Laden')
  })

  it('is the shop’s own where its settings are', () => {
    const own = read()
    expect(
      configurationWith(
        () => own.settings,
        () => own,
      ).current,
    ).toBe(own)
  })
})
