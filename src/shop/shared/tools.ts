import type { Environment } from '#contract/shared/environment.ts'
import type { StoredAssets } from '#contract/shared/file-setting.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import type { Database } from '#database/engine/connect.ts'
import type { Exchange } from '#domain/currency/exchange.ts'
import type { PayPal } from '#paypal/client.ts'
import type { TermsVersion } from '../checkout/agreed-terms.ts'
import type { ShopConfiguration } from '../operations/settings/shop-configuration.ts'
import type { Translator } from '../translation/translator.ts'
import type { Checkpoint } from './checkpoints.ts'

export type { Checkpoint, Commit } from './checkpoints.ts'

/** What a use case gets from the composition root. */
export type Tools = Environment & {
  readonly db: Database
  /** As the merchant has them now: read again when they change. */
  readonly settings: ShopSettings
  /** What the shop made of the files that settings name. */
  readonly files: StoredAssets
  /** The language in which the one who asks is answered; `settings.language` names it as well. */
  readonly translator: () => Promise<Translator>
  /** Slugs of the shop's static pages. The same set for as long as nothing changes. */
  readonly pageSlugs: () => ReadonlySet<string>
  /** The published terms that shoppers agree to, in the language of `settings.language`; null: none are asked for. */
  readonly terms: () => TermsVersion | null
  /** Of the account at the engine that translates; '' where the environment has none. */
  readonly machineKey: string
  /** The operator's file of passwords out of breaches, see `breached-passwords.ts`; null: there is none. */
  readonly breachedPasswords: string | null
  /** From the currency in which the merchant enters amounts to the one that is shown; `settings.currency` names the latter. */
  readonly exchange: Exchange
  readonly taxRates: ShopConfiguration['taxRates']
  readonly shippingZones: ShopConfiguration['shippingZones']
  /** Null while no wallet provider is set up. */
  readonly paypal: PayPal | null
  /** Live money or play money. They never mix. */
  readonly paymentEnvironment: 'sandbox' | 'live'
  /** The shop's own address without a slash at the end. */
  readonly publicUrl: string
  /** This process among those that share the database. */
  readonly instance: number
  /** Payment attempts that this process is at, by id. */
  readonly working: Set<number>
  /**
   * Called at the named points of a purchase between which a process may die. Does nothing, except in tests of recovery,
   * which end the process there.
   */
  readonly checkpoint: (point: Checkpoint) => void
}
