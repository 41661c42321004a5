import type { Environment } from '#contract/shared/environment.ts'
import type { StoredAssets } from '#contract/shared/file-setting.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import type { Database } from '#database/engine/connect.ts'
import type { Exchange } from '#domain/currency/exchange.ts'
import type { PayPal } from '#paypal/client.ts'
import type { CatalogCache } from '../catalog/catalog-cache.ts'
import type { TermsVersion } from '../checkout/agreed-terms.ts'
import type { ShopConfiguration } from '../operations/settings/shop-configuration.ts'
import type { FinishResult } from '../payments/operation/payment-result.ts'
import type { Translator } from '../translation/translator.ts'
import type { Checkpoint } from './checkpoints.ts'
import type { BatchQueue } from './run-in-batch.ts'
import type { SerialQueues } from './serial-queue.ts'

export type { Checkpoint, Commit } from './checkpoints.ts'

/** The dependencies of a use case, from the composition root. */
export type Tools = Environment & {
  readonly db: Database
  /** The merchant's current settings: read again after changes. */
  readonly settings: ShopSettings
  /** Stored variants of the files named in settings. */
  readonly files: StoredAssets
  /** The translator for the caller's language; `settings.language` names it as well. */
  readonly translator: () => Promise<Translator>
  /** Returns the slugs of the static pages. The same set until something changes. */
  readonly pageSlugs: () => ReadonlySet<string>
  /**
   * Returns the published terms that shoppers accept, in the language of `settings.language`; null: none are required.
   */
  readonly terms: () => TermsVersion | null
  /** API key of the translation engine; '' if not in the environment. */
  readonly machineKey: string
  /** The operator's file of breached passwords, see `breached-passwords.ts`; null: there is none. */
  readonly breachedPasswords: string | null
  /** Converts amounts from the merchant's currency to the shown one; `settings.currency` names the latter. */
  readonly exchange: Exchange
  readonly taxRates: ShopConfiguration['taxRates']
  readonly shippingZones: ShopConfiguration['shippingZones']
  /** Null if no wallet provider is set up. */
  readonly paypal: PayPal | null
  /** Real or sandbox money. They never mix. */
  readonly paymentEnvironment: 'sandbox' | 'live'
  /** The shop's own address without a trailing slash. */
  readonly publicUrl: string
  /** Number of this process among those that share the database. */
  readonly instance: number
  /** Payment attempts in progress in this process, by id. */
  readonly working: Set<number>
  /** Payments being finished in this process, by origin and order: a return and a webhook that meet share one call. */
  readonly finishing: Map<string, Promise<FinishResult>>
  /** Work of this process that must not overlap, by key. */
  readonly serialQueues: SerialQueues
  /** Orders that are waiting to be written together. */
  readonly orderBatches: BatchQueue
  /** Versions of the terms that this process has stored. */
  readonly storedTerms: Set<string>
  /** The catalog as this process has read it. */
  readonly catalogCache: CatalogCache
  /**
   * Called at the checkpoints of a purchase at which a process may die. Does nothing, except in recovery tests, which
   * end the process there.
   */
  readonly checkpoint: (point: Checkpoint) => void
}
