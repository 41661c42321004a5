import { languagesOf, ownLanguage, type ShopLanguage } from '#contract/languages.ts'
import type { ShopSettings } from '#contract/settings.ts'
import type { Tools } from '#shop/tools.ts'
import type { Translator } from '#shop/translator.ts'
import type { ShopContextValue } from '#web/parts/shop-context.tsx'
import type { Application } from './application.ts'
import { settingsIn } from './languages.ts'
import type { PageCache } from './page-cache.ts'

/** What all languages of a shop share. */
export type Shared = Omit<Application, 'tools' | 'shop' | 'languages' | 'language' | 'inLanguage'>

type Parts = {
  readonly shared: Shared
  /** The shop's own settings, as they are now. */
  readonly settings: () => ShopSettings
  readonly toolsIn: (settings: () => ShopSettings, translator: () => Promise<Translator>) => Tools
  readonly translator: (language: ShopLanguage) => Promise<Translator>
  readonly contextOf: (app: Application) => Promise<ShopContextValue>
}

export type SpokenShop = {
  /** In the shop's own language. */
  readonly own: Application
  /** What pages know of the shop is put together again. */
  forget(): void
}

/** The shop in each of its languages. A view is made when it is first asked for and lives as long as the process. */
export function speak({ shared, settings, toolsIn, translator, contextOf }: Parts): SpokenShop {
  const views = new Map<string, Application>()
  const contexts = new Map<string, Promise<ShopContextValue>>()
  const languages = () => languagesOf(settings())

  const viewOf = (find: () => ShopLanguage): Application => {
    const app: Application = {
      ...shared,
      tools: toolsIn(
        () => settingsIn(settings(), find()),
        () => translator(find()),
      ),
      get language() {
        return find()
      },
      get pageCache() {
        return find().published ? shared.pageCache : noPages
      },
      languages,
      shop() {
        const { tag } = find()
        const known = contexts.get(tag) ?? contextOf(app)
        contexts.set(tag, known)
        // A failure must not be remembered.
        known.catch(() => contexts.delete(tag))
        return known
      },
      inLanguage: (tag) => inLanguage(tag),
    }
    return app
  }
  const spokenByMerchant = () => ownLanguage(languages())
  const own = viewOf(spokenByMerchant)
  const inLanguage = (tag: string): Application => {
    if (tag === spokenByMerchant().tag) return own
    const find = () => languages().find((one) => one.tag === tag)
    if (!find()) throw new Error(`the shop does not speak ${tag}`)
    // One that is taken out of the settings while a request is under way is spoken to its end.
    const known = views.get(tag) ?? viewOf(() => find() ?? spokenByMerchant())
    views.set(tag, known)
    return known
  }
  return { own, forget: () => contexts.clear() }
}

/** Keeps nothing: what only some may see. */
const noPages: PageCache = { get: () => undefined, put: () => {}, generation: 0, clear: () => {} }
