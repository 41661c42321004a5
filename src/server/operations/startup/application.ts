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
import type { Bytes } from '../../http/compression.ts'
import type { ListedRoute } from '../../rest/route-index.ts'

/** State that requests share. Created once, by `main.ts` or by a test. */
export type Application = {
  readonly tools: Tools
  readonly secret: string
  /** Number of the operator's own proxies in front of the shop. */
  readonly trustedProxies: number
  /** `__Host-sid` over https; browsers reject that prefix over plain http, where it is `sid`. */
  readonly sessionCookie: string
  readonly secure: boolean
  readonly assets: Assets
  readonly pageCache: PageCache
  /** Seconds that CDNs may cache a page that is the same for all visitors; 0: they always revalidate. */
  readonly cdnSeconds: number
  /** Bearer token of monitors; null: metrics are closed. */
  readonly metricsToken: string | null
  /** Folder of the build's files. */
  readonly clientFolder: string
  /** Folder of product images. */
  readonly mediaFolder: string
  /** Folder of purchased files. They have no public addresses. */
  readonly downloadsFolder: string
  readonly webhooks: WebhookVerifier | null
  readonly provider: ProviderAddresses | null
  /** Static pages. */
  readonly content: ContentFiles
  readonly statistics: StatisticsCounter
  /**
   * A replica of the database, which may lag behind: only for the merchant's reports about the past. Nothing that a
   * shopper sees, and no decision, may use it. Null: there is none.
   */
  readonly reports: Database | null
  /** Returns all public routes of the REST API, as its index lists them. */
  restRoutes(): Readonly<Record<string, ListedRoute>>
  /** Returns the OpenAPI document of the REST API as JSON; the same bytes until the shop's name changes. */
  openApi(): Bytes
  /** Returns the shared context of all pages; rebuilt when settings or categories change. */
  shop(): Promise<ShopContextValue>
  /** Returns the shop's languages, its own first. */
  languages(): readonly ShopLanguage[]
  /** The language of this view of the shop. */
  readonly language: ShopLanguage
  /** The currency in which the merchant enters amounts. */
  readonly ownCurrency: string
  /** Returns the other currencies in which prices can be shown, as far as their exchange rates are known. */
  currencies(): readonly OfferedCurrency[]
  /** Returns the shop with prices in another currency; in its own if it does not offer that one. */
  inCurrency(code: string): Application
  /**
   * Returns the shop in another language: settings, texts, pages and addresses. @throws if the shop does not have the
   * language
   */
  inLanguage(tag: string): Application
}

/** Addresses of the provider's browser scripts, for settings and the content security policy. */
export type ProviderAddresses = {
  readonly sdkUrl: string
  readonly webBase: string
  readonly clientId: string
  readonly environment: 'sandbox' | 'live'
}
