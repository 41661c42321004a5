import { join } from 'node:path'
import type { Environment } from '#contract/shared/environment.ts'
import type { Database } from '#database/engine/connect.ts'
import { createPayPal } from '#paypal/client.ts'
import { createWebhookVerification } from '#paypal/webhook-verification.ts'
import { emptyCatalogCache } from '#shop/catalog/catalog-cache.ts'
import type { ShopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { emptyBatchQueue } from '#shop/shared/run-in-batch.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import { createStatisticsCounter } from '#shop/statistics/visit-counter.ts'
import type { TranslationMemory } from '#shop/translation/translation-memory.ts'
import type { PageCache } from '../../cache/page-cache.ts'
import { calls } from '../../calls/shared/call-routes.ts'
import { termsOf } from '../../checkout/terms-pages.ts'
import type { ContentFiles } from '../../content/content-files.ts'
import { followOffered } from '../../currency/currency-settings.ts'
import type { Assets } from '../../http/assets.ts'
import { makeShopContext } from '../../pages/shared/shop-context.ts'
import { documentBytes } from '../../rest/openapi/openapi-document.ts'
import { listedRoutes } from '../../rest/route-index.ts'
import { configurationWith } from '../../translation/locale-settings.ts'
import { type LocaleViews, localeViews, type Shared } from '../../translation/locale-view.ts'
import type { PayPalSettings } from '../configuration/config.ts'
import { createTools } from './create-tools.ts'

type Parts = {
  readonly environment: Environment
  readonly db: Database
  /** A replica for reports; null or absent: reports are read from the primary. */
  readonly reports?: Database | null
  readonly instance: number
  readonly secret: string
  /** Read for each use: the merchant may change it while the shop runs. */
  readonly configuration: { readonly current: ShopConfiguration }
  readonly memory: TranslationMemory
  readonly content: ContentFiles
  readonly pageCache: PageCache
  readonly cdnSeconds?: number
  readonly metricsToken?: string | null
  readonly publicUrl: () => string
  readonly secure: boolean
  readonly dataDir: string
  readonly clientFolder: string
  readonly assets: Assets
  readonly paypal: PayPalSettings | null
  readonly translationKey?: string | null
  readonly breachedPasswords?: string | null
  readonly trustedProxies?: number
  /** False: visits are counted, but not written periodically. */
  readonly writesStatistics?: boolean
  readonly checkpoint?: (point: Checkpoint) => void
}

export type AssembledShop = {
  readonly spoken: LocaleViews
  /** Writes the remaining counts. */
  stop(): Promise<void>
}

/** Assembles the shop from its parts, without port or jobs: it acts only on requests. */
export function assembleShop(options: Parts): AssembledShop {
  const { environment, db, paypal, configuration, memory, content, pageCache, publicUrl, secure } = options
  const { clock } = environment
  const parts = {
    pageSlugs: content.slugs,
    environment,
    db,
    working: new Set<number>(),
    finishing: new Map(),
    serialQueues: new Map(),
    orderBatches: emptyBatchQueue(),
    storedTerms: new Set<string>(),
    catalogCache: emptyCatalogCache(),
    paypal: paypal && createPayPal({ environment, config: paypal }),
    paymentEnvironment: paypal?.environment ?? 'sandbox',
    publicUrl,
    instance: options.instance,
    machineKey: options.translationKey ?? '',
    breachedPasswords: options.breachedPasswords ?? null,
    ...(options.checkpoint ? { checkpoint: options.checkpoint } : {}),
  }
  const counterTools = {
    ...environment,
    db,
    get settings() {
      return configuration.current.settings
    },
    get publicUrl() {
      return publicUrl()
    },
  }
  const statistics = createStatisticsCounter(counterTools, { running: options.writesStatistics ?? true })
  const shared: Shared = {
    trustedProxies: options.trustedProxies ?? 0,
    secret: options.secret,
    sessionCookie: secure ? '__Host-sid' : 'sid',
    secure,
    assets: options.assets,
    pageCache,
    cdnSeconds: options.cdnSeconds ?? 0,
    metricsToken: options.metricsToken ?? null,
    clientFolder: options.clientFolder,
    mediaFolder: join(options.dataDir, 'media'),
    downloadsFolder: join(options.dataDir, 'downloads'),
    webhooks:
      paypal && parts.paypal
        ? createWebhookVerification({
            environment,
            certHosts: paypal.certHosts,
            webhookId: paypal.webhookId,
            verification: paypal.webhookVerification ?? 'auto',
            paypal: parts.paypal,
          })
        : null,
    provider: paypal,
    content,
    statistics,
    reports: options.reports ?? null,
    restRoutes: () => listedRoutes(calls, publicUrl()),
    openApi: documentBytes(calls, () => ({ name: configuration.current.settings.name, publicUrl: publicUrl() })),
  }
  const spoken = localeViews({
    shared,
    settings: () => configuration.current.settings,
    currencies: followOffered(
      () => configuration.current,
      () => clock.now(),
    ),
    toolsIn: (settings, translator, exchange) =>
      createTools({
        ...parts,
        translator,
        exchange,
        terms: () => termsOf(settings(), content, configuration.current.settings.language),
        configuration: configurationWith(settings, () => configuration.current),
      }),
    translator: (language) => memory.translator(language, configuration.current.settings.language),
    contextOf: (app) => makeShopContext(app),
  })
  return { spoken, stop: statistics.stop }
}
