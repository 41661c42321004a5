import type { Environment } from '#contract/shared/environment.ts'
import type { Database } from '#database/engine/connect.ts'
import { listenForChanges } from '#database/engine/listen-for-changes.ts'
import { readConfiguration } from '#database/operations/configuration.ts'
import { followActiveTopics, webhooksChange } from '#database/operations/webhooks.ts'
import { type ShopConfiguration, shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'

/** The merchant's current configuration. Other processes announce changes, and it is read again. */
export type LiveConfiguration = {
  readonly current: ShopConfiguration
  /** Reads it again now, for a caller that has changed it and cannot wait for the announcement. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

/** `translation:de-DE`: texts of that language changed; `words`: pages of all languages may have changed. */
export type ShopChange = 'configuration' | 'catalog' | 'words' | `translation:${string}`

/** Delay of a retry after a failed reading: a change is announced only once. */
const againMs = 1_000

/** @param onChange called after every change of configuration, catalog or translations, when `current` is up to date */
export async function followConfiguration(
  db: Database,
  { clock, chance, log }: Pick<Environment, 'clock' | 'chance' | 'log'>,
  onChange: (what: ShopChange) => void,
): Promise<LiveConfiguration> {
  const read = async (): Promise<ShopConfiguration> => {
    const configuration = shopConfiguration(await readConfiguration(db))
    for (const fault of configuration.faults) log.warn(fault, 'invalid rule of the shop ignored')
    return configuration
  }
  let current = await read()
  await followActiveTopics(db)
  // Serialized: of two concurrent readings the older could finish last and win.
  let reading: Promise<unknown> = Promise.resolve()
  const readAgain = (): Promise<void> => {
    const next = reading.then(async () => {
      current = await read()
    })
    reading = next.catch(() => {})
    return next
  }
  const refresh = async (what: string) => {
    // Nothing that a page shows.
    if (what === webhooksChange) return followActiveTopics(db)
    if (what === 'configuration') await readAgain()
    onChange(what === 'catalog' || what === 'words' || isOfTranslation(what) ? what : 'configuration')
  }
  const stopping = new AbortController()
  /** @param failed called when the first try failed */
  const follow = async (what: string, failed: () => void): Promise<void> => {
    const faultOf = () =>
      refresh(what).then(
        () => null,
        (error: unknown) => String(error),
      )
    let error = await faultOf()
    if (error === null) return
    log.error({ error }, 'configuration could not be read; retrying every second')
    failed()
    while (error !== null && !stopping.signal.aborted) {
      await clock.sleep(againMs, stopping.signal).catch(() => {})
      if (!stopping.signal.aborted) error = await faultOf()
    }
  }
  // Before the first reading nothing outdated can be cached.
  let isFirst = true
  const afterSilence = async () => {
    const wasFirst = isFirst
    isFirst = false
    await follow('configuration', () => onChange('configuration'))
    await follow(webhooksChange, () => {})
    // Pages read the catalog version without checking that it is the newest.
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
