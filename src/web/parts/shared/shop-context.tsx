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

/** One entry of a select: the code that is posted and the words that are read. */
export type Choice = { value: string; label: string }

/** An entry of a menu, ready to be shown. */
export type MenuEntry = { url: string; text: string; children: readonly MenuEntry[] }

/** The shop's sign. Only ever shown as a picture, so that nothing in the file can do anything. */
export type LogoFacts = {
  url: string
  /** Where the page is dark; null: the same. */
  darkUrl: string | null
  /** As it is shown, in CSS pixels: in proportion to the file, so that nothing shifts when it arrives. */
  width: number
  height: number
  alt: string
}

/** A currency that prices can be shown in. */
export type CurrencyChoice = {
  code: string
  /** In the language of the page: US dollar. */
  name: string
  symbol: string
}

/** The question before anything is kept. */
export type ConsentFacts = {
  /** In which it is asked; never empty. */
  asks: readonly ConsentCategory[]
  /** The category in which is remembered where visitors came from. */
  attribution: ConsentCategory | null
  /** Where the shop says what it keeps. */
  policyPath: string
  /** For how long an answer holds. */
  days: number
}

/** The terms of the shop, ready to be read at the checkout. */
export type TermsText = {
  /** Made of the merchant's own Markdown, in which markup is text. */
  html: string
  /** Where the text is in another language than the page around it. */
  writtenIn: WrittenIn | null
}

/** What every page and part may know about the shop. Nothing of the visitor is in it, so that pages can be cached. */
export type ShopContextValue = {
  name: string
  tagline: string
  language: string
  dir: 'ltr' | 'rtl'
  /** Those that a visitor may choose, the shop's own first; the one that is spoken is among them. */
  languages: readonly ShopLanguage[]
  /** How the others are chosen. */
  switcher: TranslationSettings['switcher'] & {
    /** By tag: what a visitor who reads that language is told in it, and the word to be left alone. */
    offers: Readonly<Record<string, readonly [view: string, dismiss: string]>>
  }
  /** By whose clock a day is told: IANA's name of the shop's own. */
  timeZone: string
  /** A path of the shop as it is in the page's language. Links in markup are led there by `render.tsx`. */
  path: (path: string) => string
  currency: string
  /** The one that is charged, where prices are shown in another. */
  chargedCurrency?: string
  /** The one that the visitor has chosen, where the page is about paying and that is not charged. */
  chosenCurrency?: string
  /** How amounts in the currency of the page are written. */
  priceFormat: PriceFormat
  /** How those in other currencies of the shop are written, by code. */
  otherFormats?: Readonly<Record<string, PriceFormat>>
  /** Those that a visitor may choose, the shop's own first; absent or alone: there is no choice. */
  currencies?: readonly CurrencyChoice[]
  /** How they are chosen. */
  currencyOptions?: ExchangeSettings['switcher'] & Pick<ExchangeSettings, 'byCountry'>
  taxDisplayShop: 'incl' | 'excl'
  taxDisplayCart: 'incl' | 'excl'
  pricesIncludeTax: boolean
  /** Stands after prices of taxed products: `incl. VAT`, `{price_excluding_tax} net`. */
  priceSuffix: string
  stockFormat: 'always' | 'low' | 'never'
  lowStockAmount: number
  couponsEnabled: boolean
  ajaxAdd: boolean
  redirectAfterAdd: boolean
  wallet: {
    enabled: boolean
    /** The pages on which each button stands. */
    sections: Readonly<Record<Funding, readonly string[]>>
    buttonsOrder: readonly string[]
    buttonPlacement: 'place_order' | 'payment_method'
    /** Whether a card's fields ask for the name on it; absent: they do not. */
    cardName?: 'optional' | 'required'
  }
  menu: readonly CategoryFacts[]
  /** As the merchant or the shop itself has put them together. */
  menus: { main: readonly MenuEntry[]; footer: readonly { title: string; items: readonly MenuEntry[] }[] }
  header: HeaderSettings
  /** In place of the shop's name at the head of the page. */
  logo: LogoFacts | null
  /** The merchant's own sign for tabs and bookmarks. */
  icon: { url: string; type: string } | null
  /** Address of the sheet with the merchant's own tokens and letters. */
  themeSheet: string | null
  /** What every page says until it is dismissed; the id changes with the text. */
  storeNotice: { id: string; text: string } | null
  /** What visitors are asked before anything optional is kept of them; absent: nothing. */
  consent?: ConsentFacts | null
  /** What shoppers agree to; absent or null: the shop asks for no agreement, or has no such page. */
  terms?: TermsText | null
  /** The version of the terms that shoppers agree to; null or absent: none are asked for. */
  termsVersion?: string | null
  /** Whether the merchant has published a privacy policy. */
  hasPrivacyPolicy: boolean
  /** For the shipping calculator: where the shop ships to, in the language of the page. */
  shippingCountries: readonly Choice[]
  /** Country → its states. A country that is absent takes free text; an empty list means it has none. */
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
