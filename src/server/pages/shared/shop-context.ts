import { walletMethodId } from '#contract/payments/constants.ts'
import { walletSections } from '#contract/payments/paypal-settings.ts'
import { storedAssetOf } from '#contract/shared/file-setting.ts'
import { urls } from '#contract/shared/urls.ts'
import { languagesOf, ownLanguage } from '#contract/translation/languages.ts'
import { statesByCountry } from '#domain/addresses/states.ts'
import { countryChoices, stateChoices } from '#shop/addresses/allowed-countries.ts'
import { catalogTree, readMenu } from '#shop/catalog/cached-catalog.ts'
import { localizeCategory } from '#shop/catalog/localize-catalog.ts'
import { storeTerms } from '#shop/checkout/agreed-terms.ts'
import { isProviderCurrency } from '#shop/payments/operation/payment-methods.ts'
import { shortDigest } from '#shop/shared/digest.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { localizeFacts, type Say } from '#shop/translation/localize-facts.ts'
import { addressesIn } from '#shop/translation/localized-paths.ts'
import { currencySymbol } from '#web/parts/currency/currency-symbol.ts'
import type { LogoFacts, ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { privacySlug } from '../../checkout/terms-pages.ts'
import { termsText } from '../../checkout/terms-text.ts'
import type { ContentEntry, ContentFiles } from '../../content/content-files.ts'
import { chargedCurrency } from '../../currency/currency-choice.ts'
import { formatIn, priceFormatOf } from '../../currency/currency-settings.ts'
import type { Application } from '../../operations/startup/application.ts'
import { consentFacts } from '../../statistics/measurement-script.ts'
import { themeSheet, themeSheetUrl } from '../../theme/theme-stylesheet.ts'
import { languageOffers } from '../../translation/language-offers.ts'
import { shopMenus } from './shop-menus.ts'

/**
 * Returns the shop's data for every page, from its settings, categories and static pages, in the language of the view.
 */
export async function makeShopContext(app: Speaking): Promise<ShopContextValue> {
  const { tools } = app
  const { settings, files } = tools
  const charged = chargedCurrencyCode(app)
  const languages = app.languages?.() ?? languagesOf(settings)
  const language = app.language ?? ownLanguage(languages)
  const pages: readonly ContentEntry[] = app.content?.contentPages(language.tag) ?? []
  const [menu, tree, { t, n }, { lead }, offers, terms] = await Promise.all([
    readMenu(tools),
    catalogTree(tools),
    tools.translator(),
    addressesIn(tools),
    languageOffers(app),
    storeTerms(tools),
  ])
  const { enabled, text } = settings.storeNotice
  const written = await localizeFacts(tools, (say) => ({
    tagline: say.text(settings.tagline),
    logo: logoOf(settings, files, say),
    priceSuffix: say.text(settings.taxes.priceSuffix),
    menu: menu.map((category) => localizeCategory(say, category)),
    menus: shopMenus(settings, tree, pages, t, say),
    // Identified by the merchant's original text: dismissed in one language, it is dismissed in all.
    storeNotice: enabled && text ? { id: shortDigest(text), text: say.text(text) } : null,
  }))
  return {
    name: settings.name,
    ...written,
    language: language.tag,
    dir: language.dir,
    timeZone: settings.timeZone,
    languages: languages.filter(({ tag, published }) => published || tag === language.tag),
    switcher: { ...settings.translation.switcher, offers },
    path: lead,
    currency: settings.currency,
    ...(charged === settings.currency ? {} : { chargedCurrency: charged }),
    priceFormat: priceFormatOf(settings),
    ...currencyFacts(app, settings, language.tag),
    taxDisplayShop: settings.taxes.displayShop,
    taxDisplayCart: settings.taxes.displayCart,
    pricesIncludeTax: settings.taxes.pricesIncludeTax,
    stockFormat: settings.stockFormat,
    lowStockAmount: settings.lowStockAmount,
    couponsEnabled: settings.couponsEnabled,
    ajaxAdd: settings.ajaxAdd,
    redirectAfterAdd: settings.redirectAfterAdd,
    wallet: {
      enabled: isProviderCurrency(tools, walletMethodId, charged),
      sections: walletSections(settings.paypal),
      buttonsOrder: settings.paypal.buttonsOrder,
      buttonPlacement: settings.paypal.buttonPlacement,
      ...(settings.paypal.cards.nameField
        ? { cardName: settings.paypal.cards.nameRequired ? 'required' : 'optional' }
        : {}),
    },
    header: settings.theme.header,
    icon: iconOf(settings, files),
    themeSheet: themeSheetUrl(themeSheet(settings, files)),
    consent: consentFacts(settings),
    terms: settings.termsPage ? termsText(app.content, languages, language, t('Table')) : null,
    termsVersion: terms?.version ?? null,
    hasPrivacyPolicy: app.content?.find(privacySlug) !== undefined,
    shippingCountries: countryChoices(settings, 'shipping'),
    states: Object.fromEntries(
      Object.keys(statesByCountry()).map((country) => [country, stateChoices(country, settings.language)]),
    ),
    t,
    n,
  }
}

/** Without language or currency: the shop's own. */
type Speaking = Pick<Application, 'tools'> &
  Partial<Pick<Application, 'language' | 'languages' | 'inLanguage' | 'ownCurrency' | 'currencies' | 'inCurrency'>> & {
    readonly content?: ContentFiles
  }

/** Returns the currency charged to visitors of this view. */
function chargedCurrencyCode({ tools, currencies, ownCurrency }: Speaking): string {
  const { currency } = tools.settings
  return currencies && ownCurrency !== undefined
    ? chargedCurrency({ tools, currencies, ownCurrency }, currency)
    : currency
}

/** Returns the currencies to choose from, and the format of amounts in each. */
function currencyFacts(app: Speaking, settings: Tools['settings'], language: string) {
  const others = app.currencies?.() ?? []
  const { ownCurrency: own, inCurrency } = app
  if (others.length === 0 || own === undefined || !inCurrency) return {}
  const names = new Intl.DisplayNames([language], { type: 'currency' })
  const inOwn = priceFormatOf(inCurrency(own).tools.settings)
  const formats = new Map([
    [own, inOwn],
    ...others.map((one) => [one.code, formatIn({ priceFormat: inOwn, currency: own }, one)] as const),
  ])
  return {
    currencies: [...formats].map(([code, { symbol }]) => ({
      code,
      name: names.of(code) ?? code,
      symbol: symbol ?? currencySymbol(code),
    })),
    currencyOptions: { ...settings.exchange.switcher, byCountry: settings.exchange.byCountry },
    otherFormats: Object.fromEntries([...formats].filter(([code]) => code !== settings.currency)),
  }
}

/** Returns the logo at its height, with the width from its file. */
function logoOf({ theme, name }: Tools['settings'], files: Tools['files'], say: Say): LogoFacts | null {
  const { logo } = theme
  const light = storedAssetOf(files, logo?.file, 'sign')
  if (!logo || !light) return null
  const dark = storedAssetOf(files, logo.darkFile, 'sign')
  return {
    url: urls.themeFile(light.hash, light.ending),
    darkUrl: dark ? urls.themeFile(dark.hash, dark.ending) : null,
    width: Math.round((logo.height * light.width) / light.height),
    height: logo.height,
    alt: say.text(logo.alt) || name,
  }
}

function iconOf({ theme }: Tools['settings'], files: Tools['files']): ShopContextValue['icon'] {
  const icon = storedAssetOf(files, theme.icon, 'sign')
  if (!icon) return null
  return {
    url: urls.themeFile(icon.hash, icon.ending),
    type: icon.ending === 'svg' ? 'image/svg+xml' : `image/${icon.ending}`,
  }
}
