import type { WebhookVerifier } from '#paypal/webhook-signature.ts'
import type { Tools } from '#shop/tools.ts'
import type { HeroFacts } from '#web/pages/home-page.tsx'
import type { ShopContextValue } from '#web/parts/shop-context.tsx'
import type { Assets } from './assets.ts'
import type { PageCache } from './page-cache.ts'

/** Everything that requests share. Put together once, by `main.ts` or by a test. */
export type Application = {
  readonly tools: Tools
  readonly secret: string
  /** `__Host-sid` over https; browsers refuse that prefix over plain http, where it is `sid`. */
  readonly sessionCookie: string
  readonly secure: boolean
  readonly assets: Assets
  readonly pageCache: PageCache
  /** Where the build's files are. */
  readonly clientFolder: string
  /** Where the importer puts the pictures. */
  readonly mediaFolder: string
  readonly webhooks: WebhookVerifier | null
  readonly provider: ProviderAddresses | null
  /** What every page may know of the shop; made again when settings or categories change. */
  shop(): Promise<ShopContextValue>
  /** What the front page says first. */
  hero(): Promise<HeroFacts>
}

/** Where the provider's browser side lives, for settings and the content security policy. */
export type ProviderAddresses = {
  readonly sdkUrl: string
  readonly webBase: string
  readonly clientId: string
  readonly environment: 'sandbox' | 'live'
}
