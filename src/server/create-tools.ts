import type { Environment } from '#contract/environment.ts'
import type { Database } from '#database/connect.ts'
import type { PayPal } from '#paypal/client.ts'
import type { ShopConfiguration } from '#shop/shop-configuration.ts'
import type { Checkpoint, Tools } from '#shop/tools.ts'

type Parts = {
  environment: Environment
  db: Database
  configuration: { readonly current: ShopConfiguration }
  paypal: PayPal | null
  paymentEnvironment: 'sandbox' | 'live'
  publicUrl: () => string
  instance: number
  checkpoint?: (point: Checkpoint) => void
}

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
    get taxRates() {
      return configuration.current.taxRates
    },
    get shippingZones() {
      return configuration.current.shippingZones
    },
    get publicUrl() {
      return parts.publicUrl()
    },
    paypal: parts.paypal,
    paymentEnvironment: parts.paymentEnvironment,
    instance: parts.instance,
    working: new Set(),
    checkpoint: parts.checkpoint ?? (() => {}),
  }
}
