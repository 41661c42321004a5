import type { Environment } from '#contract/environment.ts'
import type { ShopSettings } from '#contract/settings.ts'
import type { Database } from '#database/connect.ts'

/** What a use case gets from the composition root. */
export type Tools = Environment & {
  readonly db: Database
  readonly settings: ShopSettings
}
