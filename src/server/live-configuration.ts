import type { Log } from '#contract/environment.ts'
import { changeChannel, readConfiguration } from '#database/configuration.ts'
import type { Database } from '#database/connect.ts'
import { type ShopConfiguration, shopConfiguration } from '#shop/shop-configuration.ts'

/** What the merchant has set up, as of now: other processes say when it changes, and it is read again. */
export type LiveConfiguration = {
  readonly current: ShopConfiguration
  stop(): Promise<void>
}

/** @param onChange called after every change of configuration or catalogue, when `current` is up to date */
export async function followConfiguration(db: Database, log: Log, onChange: () => void): Promise<LiveConfiguration> {
  let current = shopConfiguration(await readConfiguration(db))
  const refresh = async (what: string) => {
    if (what === 'configuration') current = shopConfiguration(await readConfiguration(db))
    onChange()
  }
  const listening = await db.sql.listen(
    changeChannel,
    (what) => {
      refresh(what).catch((error: unknown) =>
        log.error({ error: String(error) }, 'the configuration could not be read'),
      )
    },
    // After a lost connection anything may have changed meanwhile.
    () => void refresh('configuration').catch(() => onChange()),
  )
  return {
    get current() {
      return current
    },
    stop: () => listening.unlisten(),
  }
}
