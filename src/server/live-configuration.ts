import type { Log } from '#contract/environment.ts'
import { changeChannel } from '#database/change-counts.ts'
import { readConfiguration } from '#database/configuration.ts'
import type { Database } from '#database/connect.ts'
import { type ShopConfiguration, shopConfiguration } from '#shop/shop-configuration.ts'

/** What the merchant has set up, as of now: other processes say when it changes, and it is read again. */
export type LiveConfiguration = {
  readonly current: ShopConfiguration
  /** Reads it again now, for one who has changed it and cannot wait to be told. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

/** `translation:de-DE`: something is said otherwise in that language; `words`: in such a way that pages in all show it. */
export type ShopChange = 'configuration' | 'catalog' | 'words' | `translation:${string}`

/** @param onChange called after every change of configuration, catalogue or translations, when `current` is up to date */
export async function followConfiguration(
  db: Database,
  log: Log,
  onChange: (what: ShopChange) => void,
): Promise<LiveConfiguration> {
  const read = async (): Promise<ShopConfiguration> => {
    const configuration = shopConfiguration(await readConfiguration(db))
    for (const fault of configuration.faults) log.warn(fault, 'a rule of the shop is left out until it is put right')
    return configuration
  }
  let current = await read()
  // One after the other: of two readings at once the older could come back last, and stay.
  let reading: Promise<unknown> = Promise.resolve()
  const readAgain = (): Promise<void> => {
    const next = reading.then(async () => {
      current = await read()
    })
    reading = next.catch(() => {})
    return next
  }
  const refresh = async (what: string) => {
    if (what === 'configuration') await readAgain()
    onChange(what === 'catalog' || what === 'words' || isOfTranslation(what) ? what : 'configuration')
  }
  const listening = await db.session.listen(
    changeChannel,
    (what) => {
      refresh(what).catch((error: unknown) =>
        log.error({ error: String(error) }, 'the configuration could not be read'),
      )
    },
    // After a lost connection anything may have changed meanwhile.
    () => void refresh('configuration').catch(() => onChange('configuration')),
  )
  return {
    get current() {
      return current
    },
    refresh: () => refresh('configuration'),
    stop: () => listening.unlisten(),
  }
}

function isOfTranslation(what: string): what is `translation:${string}` {
  return what.startsWith('translation:')
}
