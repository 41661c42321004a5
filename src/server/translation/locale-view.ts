import type { ShopSettings } from '#contract/shared/settings.ts'
import { languagesOf, ownLanguage, type ShopLanguage } from '#contract/translation/languages.ts'
import { type Exchange, noExchange } from '#domain/currency/exchange.ts'
import type { OfferedCurrency } from '#shop/currency/offered-currencies.ts'
import type { Tools } from '#shop/shared/tools.ts'
import type { Translator } from '#shop/translation/translator.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { noPages, type PageCache } from '../cache/page-cache.ts'
import { exchangeTo, settingsInCurrency } from '../currency/currency-settings.ts'
import type { Application } from '../operations/startup/application.ts'
import { settingsIn } from './locale-settings.ts'

/** State shared by all languages and currencies of a shop. */
export type Shared = Omit<
  Application,
  'tools' | 'shop' | 'languages' | 'language' | 'inLanguage' | 'ownCurrency' | 'currencies' | 'inCurrency'
>

type Parts = {
  readonly shared: Shared
  /** Returns the shop's current settings. */
  readonly settings: () => ShopSettings
  /** Returns the current currencies beside the shop's own; absent: none. */
  readonly currencies?: () => readonly OfferedCurrency[]
  readonly toolsIn: (
    settings: () => ShopSettings,
    translator: () => Promise<Translator>,
    exchange: () => Exchange,
  ) => Tools
  readonly translator: (language: ShopLanguage) => Promise<Translator>
  readonly contextOf: (app: Application) => Promise<ShopContextValue>
}

export type LocaleViews = {
  /** The view in the shop's own language and currency. */
  readonly own: Application
  /** Discards the shop contexts of pages. */
  forget(): void
}

const noOthers: readonly OfferedCurrency[] = []

/** A cached shop context, and the currencies that it offers: a rate expires without any change. */
type KnownShop = { readonly offered: readonly OfferedCurrency[]; readonly made: Promise<ShopContextValue> }

/** The shop in each of its languages and currencies. A view is made when it is first asked for and lives as long as the process. */
export function localeViews({
  shared,
  settings,
  currencies = () => noOthers,
  toolsIn,
  translator,
  contextOf,
}: Parts): LocaleViews {
  const views = new Map<string, Application>()
  const contexts = new Map<string, KnownShop>()
  const languages = () => languagesOf(settings())
  const spokenByMerchant = () => ownLanguage(languages())
  const languageOf = (tag: string) => languages().find((one) => one.tag === tag)
  const currencyOf = (code: string) => currencies().find((one) => one.code === code)

  /** @param code '' for the shop's own currency */
  const viewOf = (find: () => ShopLanguage, code: string): Application => {
    // A language or currency removed during a request: it finishes in the shop's own.
    const shown = () => (code === '' ? undefined : currencyOf(code))
    let pages: PageCache | undefined
    // Cached: a page reads its settings thirty times.
    let from: { own?: ShopSettings; other?: OfferedCurrency | undefined } = {}
    let made: ShopSettings | undefined
    const app: Application = {
      ...shared,
      tools: toolsIn(
        () => {
          const own = settings()
          const other = shown()
          if (made && own === from.own && other === from.other) return made
          from = { own, other }
          const inLanguage = settingsIn(own, find())
          made = other ? settingsInCurrency(inLanguage, other) : inLanguage
          return made
        },
        () => translator(find()),
        () => {
          const { currency } = settings()
          const other = shown()
          return other ? exchangeTo(currency, other) : noExchange(currency)
        },
      ),
      get language() {
        return find()
      },
      get pageCache() {
        if (!find().published) return noPages
        pages ??= code === '' ? shared.pageCache : pagesIn(shared.pageCache, code)
        return pages
      },
      languages,
      get ownCurrency() {
        return settings().currency
      },
      currencies,
      shop() {
        const key = `${find().tag} ${code}`
        const offered = currencies()
        const before = contexts.get(key)
        if (before?.offered === offered) return before.made
        const fresh = { offered, made: contextOf(app) }
        contexts.set(key, fresh)
        // A failure must not be cached.
        fresh.made.catch(() => contexts.get(key) === fresh && contexts.delete(key))
        return fresh.made
      },
      inLanguage: (tag) => view(tag, code),
      inCurrency: (other) => view(find().tag, currencyOf(other) ? other : ''),
    }
    return app
  }
  const own = viewOf(spokenByMerchant, '')
  const view = (tag: string, code: string): Application => {
    const isOwn = tag === spokenByMerchant().tag
    if (isOwn && code === '') return own
    if (!languageOf(tag)) throw new Error(`the shop does not localeViews ${tag}`)
    const key = `${isOwn ? '' : tag} ${code}`
    const known = views.get(key) ?? viewOf(isOwn ? spokenByMerchant : () => languageOf(tag) ?? spokenByMerchant(), code)
    views.set(key, known)
    return known
  }
  return { own, forget: () => contexts.clear() }
}

/** Returns the cache of pages with prices in one currency. Its keys have a prefix that no address begins with. */
function pagesIn(pages: PageCache, code: string): PageCache {
  const keyOf = (address: string) => `${code} ${address}`
  return {
    get: (address) => pages.get(keyOf(address)),
    stale: (address) => pages.stale(keyOf(address)),
    put: (address, page, generation) => pages.put(keyOf(address), page, generation),
    buildOnce: (address, make) => pages.buildOnce(keyOf(address), make),
    get generation() {
      return pages.generation
    },
    forget: pages.forget,
    clear: pages.clear,
  }
}
