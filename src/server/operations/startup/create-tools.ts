import type { Environment } from '#contract/shared/environment.ts'
import type { Database } from '#database/engine/connect.ts'
import { type Exchange, noExchange } from '#domain/currency/exchange.ts'
import type { PayPal } from '#paypal/client.ts'
import { type CatalogCache, emptyCatalogCache } from '#shop/catalog/catalog-cache.ts'
import type { TermsVersion } from '#shop/checkout/agreed-terms.ts'
import type { ShopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { emptyBatchQueue } from '#shop/shared/run-in-batch.ts'
import type { Checkpoint, Tools } from '#shop/shared/tools.ts'
import { interfaceTranslator, type Translator } from '#shop/translation/translator.ts'

type Parts = {
  environment: Environment
  db: Database
  configuration: { readonly current: ShopConfiguration }
  paypal: PayPal | null
  paymentEnvironment: 'sandbox' | 'live'
  publicUrl: () => string
  instance: number
  /** Absent: the merchant's original texts. */
  translator?: () => Promise<Translator>
  /** Absent: amounts stay as entered. */
  exchange?: () => Exchange
  /** Absent: a shop without static pages. */
  pageSlugs?: () => ReadonlySet<string>
  /** Absent: the shop requires no consent to terms. */
  terms?: () => TermsVersion | null
  /** API key of the translation engine; absent: none. */
  machineKey?: string
  /** Path of the file of breached passwords; absent: none. */
  breachedPasswords?: string | null
  /** Shared by all views of one shop. */
  working?: Set<number>
  finishing?: Tools['finishing']
  serialQueues?: Tools['serialQueues']
  orderBatches?: Tools['orderBatches']
  storedTerms?: Set<string>
  catalogCache?: CatalogCache
  checkpoint?: (point: Checkpoint) => void
}

const noPages: ReadonlySet<string> = new Set()

/** Creates the tools of all use cases. Settings are getters: a use case always sees the merchant's latest ones. */
export function createTools(parts: Parts): Tools {
  const { environment, db, configuration } = parts
  return {
    clock: environment.clock,
    chance: environment.chance,
    network: environment.network,
    log: environment.log,
    db,
    get settings() {
      return configuration.current.settings
    },
    get files() {
      return configuration.current.files
    },
    get exchange() {
      return parts.exchange?.() ?? noExchange(configuration.current.settings.currency)
    },
    get taxRates() {
      return configuration.current.taxRates
    },
    get shippingZones() {
      return configuration.current.shippingZones
    },
    get publicUrl() {
      return parts.publicUrl()
    },
    translator: parts.translator ?? (async () => interfaceTranslator(configuration.current.settings.language)),
    pageSlugs: parts.pageSlugs ?? (() => noPages),
    terms: parts.terms ?? (() => null),
    machineKey: parts.machineKey ?? '',
    breachedPasswords: parts.breachedPasswords ?? null,
    paypal: parts.paypal,
    paymentEnvironment: parts.paymentEnvironment,
    instance: parts.instance,
    working: parts.working ?? new Set(),
    finishing: parts.finishing ?? new Map(),
    serialQueues: parts.serialQueues ?? new Map(),
    orderBatches: parts.orderBatches ?? emptyBatchQueue(),
    storedTerms: parts.storedTerms ?? new Set(),
    catalogCache: parts.catalogCache ?? emptyCatalogCache(),
    checkpoint: parts.checkpoint ?? (() => {}),
  }
}
