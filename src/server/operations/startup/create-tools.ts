import type { Environment } from '#contract/shared/environment.ts'
import type { Database } from '#database/engine/connect.ts'
import { type Exchange, noExchange } from '#domain/currency/exchange.ts'
import type { PayPal } from '#paypal/client.ts'
import type { TermsVersion } from '#shop/checkout/agreed-terms.ts'
import type { ShopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
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
  /** Left out: what the merchant wrote, as it is. */
  translator?: () => Promise<Translator>
  /** Left out: amounts are shown as they were entered. */
  exchange?: () => Exchange
  /** Left out: a shop without static pages. */
  pageSlugs?: () => ReadonlySet<string>
  /** Left out: the shop asks for no agreement. */
  terms?: () => TermsVersion | null
  /** Of the engine that translates; left out: none. */
  machineKey?: string
  /** Path of the file of passwords out of breaches; left out: none. */
  breachedPasswords?: string | null
  /** Shared by the views of one shop. */
  working?: Set<number>
  checkpoint?: (point: Checkpoint) => void
}

const noPages: ReadonlySet<string> = new Set()

/** The tools of every use case. Settings are getters: a use case always sees what the merchant has set last. */
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
    checkpoint: parts.checkpoint ?? (() => {}),
  }
}
