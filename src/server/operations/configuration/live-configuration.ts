import type { Environment } from '#contract/shared/environment.ts'
import type { Database } from '#database/engine/connect.ts'
import { listenForChanges } from '#database/engine/listen-for-changes.ts'
import { readConfiguration } from '#database/operations/configuration.ts'
import { type ShopConfiguration, shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'

/** What the merchant has set up, as of now: other processes say when it changes, and it is read again. */
export type LiveConfiguration = {
  readonly current: ShopConfiguration
  /** Reads it again now, for one who has changed it and cannot wait to be told. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

/** `translation:de-DE`: something is said otherwise in that language; `words`: in such a way that pages in all show it. */
export type ShopChange = 'configuration' | 'catalog' | 'words' | `translation:${string}`

/** How long after a reading that failed the next one is tried: what has changed is told of once. */
const againMs = 1_000

/** @param onChange called after every change of configuration, catalogue or translations, when `current` is up to date */
export async function followConfiguration(
  db: Database,
  { clock, chance, log }: Pick<Environment, 'clock' | 'chance' | 'log'>,
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
  const stopping = new AbortController()
  /** @param failed called when it could not be read at once */
  const follow = async (what: string, failed: () => void): Promise<void> => {
    const faultOf = () =>
      refresh(what).then(
        () => null,
        (error: unknown) => String(error),
      )
    let error = await faultOf()
    if (error === null) return
    log.error({ error }, 'the configuration could not be read, and is read again each second until it can')
    failed()
    while (error !== null && !stopping.signal.aborted) {
      await clock.sleep(againMs, stopping.signal).catch(() => {})
      if (!stopping.signal.aborted) error = await faultOf()
    }
  }
  // At first there is nothing yet that could be of before.
  let isFirst = true
  const afterSilence = async () => {
    const wasFirst = isFirst
    isFirst = false
    await follow('configuration', () => onChange('configuration'))
    // Pages name what they know of it without asking whether that is the newest.
    if (!wasFirst) onChange('catalog')
  }
  const listening = await listenForChanges(
    db,
    { clock, chance, log },
    { heard: (what) => void follow(what, () => {}), begun: () => void afterSilence() },
  )
  return {
    get current() {
      return current
    },
    refresh: () => refresh('configuration'),
    async stop() {
      stopping.abort()
      await listening.stop()
    },
  }
}

function isOfTranslation(what: string): what is `translation:${string}` {
  return what.startsWith('translation:')
}
