import { createContext, useContext } from 'react'
import type { ExchangeSettings } from '#contract/currency/settings.ts'
import type { ConsentCategory } from '#contract/statistics/consent.ts'
import type { HeaderSettings } from '#contract/theme/header-settings.ts'
import type { TranslationSettings } from '#contract/translation/language-settings.ts'
import type { ShopLanguage } from '#contract/translation/languages.ts'
import type { PriceFormat } from '#domain/money/format-amount.ts'
import type { Funding } from '#domain/payments/funding-sources.ts'
import type { CategoryFacts } from '#shop/catalog/catalog-facts.ts'
import type { WrittenIn } from '#shop/content/home-facts.ts'

/** An entry of a select: the posted code and its label. */
export type Choice = { value: string; label: string }

/** A menu entry, ready to be shown. */
export type MenuEntry = { url: string; text: string; children: readonly MenuEntry[] }

/** The shop's logo. Only used as an image, so that scripts in the file cannot run. */
export type LogoFacts = {
  url: string
  /** For the dark colour scheme; null: the same. */
  darkUrl: string | null
  /** Displayed size in CSS pixels: in proportion to the file, so that nothing shifts when it loads. */
  width: number
  height: number
  alt: string
}

/** A currency for displayed prices. */
export type CurrencyChoice = {
  code: string
  /** In the language of the page: US dollar. */
  name: string
  symbol: string
}

/** The facts of the consent banner. */
export type ConsentFacts = {
  /** The categories that it asks for; never empty. */
  asks: readonly ConsentCategory[]
  /** The category that covers attribution. */
  attribution: ConsentCategory | null
  /** Path of the privacy policy. */
  policyPath: string
  /** Number of days that an answer is valid. */
  days: number
}

/** The terms of the shop, rendered for the checkout. */
export type TermsText = {
  /** Rendered from the merchant's own Markdown, in which markup is text. */
  html: string
  /** Set if the text is in another language than the page around it. */
  writtenIn: WrittenIn | null
}

/** The facts about the shop for every page and part. They contain no visitor data, so that pages can be cached. */
export type ShopContextValue = {
  name: string
  tagline: string
  language: string
  dir: 'ltr' | 'rtl'
  /** The selectable languages, the shop's own first; includes the current one. */
  languages: readonly ShopLanguage[]
  /** Settings of the language switcher. */
  switcher: TranslationSettings['switcher'] & {
    /** By tag: the texts of the language offer in that language. */
    offers: Readonly<Record<string, readonly [view: string, dismiss: string]>>
  }
  /** The shop's time zone for dates, by IANA name. */
  timeZone: string
  /** Returns a path of the shop in the page's language. `render.tsx` localizes links in markup with it. */
  path: (path: string) => string
  currency: string
  /** The charged currency, where prices are displayed in another. */
  chargedCurrency?: string
  /** The visitor's chosen currency, where a payment page charges another. */
  chosenCurrency?: string
  /** Format of amounts in the currency of the page. */
  priceFormat: PriceFormat
  /** Formats of the shop's other currencies, by code. */
  otherFormats?: Readonly<Record<string, PriceFormat>>
  /** The selectable currencies, the shop's own first; absent or single: there is no choice. */
  currencies?: readonly CurrencyChoice[]
  /** Settings of the currency switcher. */
  currencyOptions?: ExchangeSettings['switcher'] & Pick<ExchangeSettings, 'byCountry'>
  taxDisplayShop: 'incl' | 'excl'
  taxDisplayCart: 'incl' | 'excl'
  pricesIncludeTax: boolean
  /** Suffix of prices of taxed products: `incl. VAT`, `{price_excluding_tax} net`. */
  priceSuffix: string
  stockFormat: 'always' | 'low' | 'never'
  lowStockAmount: number
  couponsEnabled: boolean
  ajaxAdd: boolean
  redirectAfterAdd: boolean
  wallet: {
    enabled: boolean
    /** The pages of each button. */
    sections: Readonly<Record<Funding, readonly string[]>>
    buttonsOrder: readonly string[]
    buttonPlacement: 'place_order' | 'payment_method'
    /** The name on the card as an optional or required card field; absent: no such field. */
    cardName?: 'optional' | 'required'
  }
  menu: readonly CategoryFacts[]
  /** Created by the merchant or by default. */
  menus: { main: readonly MenuEntry[]; footer: readonly { title: string; items: readonly MenuEntry[] }[] }
  header: HeaderSettings
  /** Replaces the shop's name in the header. */
  logo: LogoFacts | null
  /** The merchant's own icon for tabs and bookmarks. */
  icon: { url: string; type: string } | null
  /** URL of the stylesheet with the merchant's own tokens and fonts. */
  themeSheet: string | null
  /** The store notice of every page until it is dismissed; the id changes with the text. */
  storeNotice: { id: string; text: string } | null
  /** The consent for optional data; absent: none is needed. */
  consent?: ConsentFacts | null
  /** The terms that shoppers accept; absent or null: the shop requires no acceptance, or has no such page. */
  terms?: TermsText | null
  /** The version of the terms that shoppers accept; null or absent: no acceptance is required. */
  termsVersion?: string | null
  /** True if the merchant has published a privacy policy. */
  hasPrivacyPolicy: boolean
  /** For the shipping calculator: the countries that the shop ships to, in the language of the page. */
  shippingCountries: readonly Choice[]
  /** Country → its states. A missing country has a text field; an empty list means no states. */
  states: Readonly<Record<string, readonly Choice[]>>
  /** Translates an English original; `%s` and `%1$s` are filled with the further arguments. */
  t: (original: string, ...values: readonly (string | number)[]) => string
  /** The same for a count, which fills the first `%s`: `n(3, '%s item', '%s items')`. */
  n: (count: number, one: string, many: string, ...values: readonly (string | number)[]) => string
}

const Context = createContext<ShopContextValue | null>(null)

export const ShopProvider = Context.Provider

/** @throws when rendered outside a `ShopProvider`. */
export function useShop(): ShopContextValue {
  const shop = useContext(Context)
  if (!shop) throw new Error('useShop needs a ShopProvider above it')
  return shop
}
