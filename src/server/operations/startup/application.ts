import type { ShopLanguage } from '#contract/translation/languages.ts'
import type { Database } from '#database/engine/connect.ts'
import type { WebhookVerifier } from '#paypal/webhook-signature.ts'
import type { OfferedCurrency } from '#shop/currency/offered-currencies.ts'
import type { Tools } from '#shop/shared/tools.ts'
import type { StatisticsCounter } from '#shop/statistics/visit-counter.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import type { PageCache } from '../../cache/page-cache.ts'
import type { ContentFiles } from '../../content/content-files.ts'
import type { Assets } from '../../http/assets.ts'
import type { ListedRoute } from '../../rest/route-index.ts'

/** Everything that requests share. Put together once, by `main.ts` or by a test. */
export type Application = {
  readonly tools: Tools
  readonly secret: string
  /** How many proxies of our own stand in front. */
  readonly trustedProxies: number
  /** `__Host-sid` over https; browsers refuse that prefix over plain http, where it is `sid`. */
  readonly sessionCookie: string
  readonly secure: boolean
  readonly assets: Assets
  readonly pageCache: PageCache
  /** For how long caches in front of the shop may keep a page that is the same for everybody; 0: they ask each time. */
  readonly cdnSeconds: number
  /** What a monitor shows to be told figures; null: whoever asks directly from a private network is. */
  readonly metricsToken: string | null
  /** Where the build's files are. */
  readonly clientFolder: string
  /** Where the importer puts the pictures. */
  readonly mediaFolder: string
  /** Where the files are that customers buy. Nothing there has an address of its own. */
  readonly downloadsFolder: string
  readonly webhooks: WebhookVerifier | null
  readonly provider: ProviderAddresses | null
  /** The pages of text. */
  readonly content: ContentFiles
  readonly statistics: StatisticsCounter
  /**
   * A replica of the database, which may be behind: for what the merchant reads about the past. Nothing that a shopper is
   * shown, and nothing that is decided, comes from it. Null: there is none.
   */
  readonly reports: Database | null
  /** Every public route of the REST interface, as its index lists them. */
  restRoutes(): Readonly<Record<string, ListedRoute>>
  /** What every page may know of the shop; made again when settings or categories change. */
  shop(): Promise<ShopContextValue>
  /** Every language of the shop, its own first. */
  languages(): readonly ShopLanguage[]
  /** The language that this view of the shop speaks. */
  readonly language: ShopLanguage
  /** The currency in which the merchant enters amounts. */
  readonly ownCurrency: string
  /** Those beside it in which prices are shown, as long as what they are worth is known. */
  currencies(): readonly OfferedCurrency[]
  /** The same shop with prices in another currency; in its own where it does not show that one. */
  inCurrency(code: string): Application
  /** The same shop in another language: settings, words, pages and addresses. @throws where the shop does not speak it */
  inLanguage(tag: string): Application
}

/** Where the provider's browser side lives, for settings and the content security policy. */
export type ProviderAddresses = {
  readonly sdkUrl: string
  readonly webBase: string
  readonly clientId: string
  readonly environment: 'sandbox' | 'live'
}
