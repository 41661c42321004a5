import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import { queueLengths } from '#database/translation/queue.ts'
import { type Original, saveOriginalsForIds } from '#database/translation/translations.ts'
import { systemNetwork } from '#server/operations/startup/environment.ts'
import type { MachineTools } from '#shop/translation/machine/engine-settings.ts'
import { type MachineRun, translateQueue } from '#shop/translation/machine/translate-queue.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { type Engines, key, translationEngines } from './translation-engines.ts'

export type MachineSettings = Partial<ShopSettings['translation']['machine']>

/** A database with untranslated texts and a server of translation engines, both without contents at the start of every test of the file. */
export function aTranslationQueue() {
  let engines: Engines
  let db: TestDatabase
  let now: Date
  const logged: string[] = []
  beforeAll(async () => {
    engines = await translationEngines()
    db = await aDatabase({ max: 8 })
  })
  afterAll(async () => {
    await db.close()
    await engines.close()
  })
  beforeEach(() => {
    now = new Date('2026-05-12T09:30:00Z')
    logged.length = 0
    engines.calls.length = 0
    engines.fail()
    engines.failAll(null)
    engines.slow(0)
    engines.retryAfter(null)
    engines.charLimit(null)
  })
  afterEach(async () => {
    await db.sql`truncate translation_originals, translation_spending restart identity cascade`
    await db.sql`delete from settings`
  })

  /** Waiting takes no time; a response is awaited for a third of a second. */
  const clock = {
    now: () => now,
    async sleep(ms: number, signal?: AbortSignal) {
      if (ms !== 30_000) {
        now = new Date(now.getTime() + ms)
        return
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 300)
        signal?.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
  const note = (facts: object, message: string) => void logged.push(`${message} ${JSON.stringify(facts)}`)
  const inMinutes = (count: number) => new Date(now.getTime() + count * 60_000)

  return {
    get engines() {
      return engines
    },
    get db() {
      return db
    },
    get now() {
      return now
    },
    /** Each entry of the log as its message and its facts. */
    logged,
    inMinutes,
    setTime(time: Date | string): void {
      now = new Date(time)
    },
    shop(machine: MachineSettings = {}, settings: object = {}): MachineTools {
      return {
        ...{ db, clock, log: { info: note, warn: note, error: note } },
        ...{ network: systemNetwork(['127.0.0.1']), machineKey: key, pageSlugs: () => new Set<string>() },
        chance: { hex: () => '', alphanumeric: () => '', uuid: () => '', fraction: () => 0.5 },
        settings: shopSettings.parse({
          languages: [{ tag: 'de-DE' }],
          translation: { machine: { engine: 'deepl', address: engines.url, ...machine } },
          ...settings,
        }),
      }
    },
    /** Saves texts of content unless an area is given, and returns their IDs. */
    async remember(...originals: readonly (string | Original)[]) {
      // The shop's own interface words were imported.
      await db.sql`insert into translation_seeds (language, file, digest)
        select unnest(array['de-DE', 'fr-FR', 'it-IT']), 'words', '' on conflict do nothing`
      return saveOriginalsForIds(
        db.kysely,
        originals.map((text) => (typeof text === 'string' ? { area: 'content', text } : text)),
        now,
      )
    },
    run: (tools: MachineTools, also: readonly string[] = []): Promise<MachineRun> =>
      translateQueue(tools, { until: inMinutes(2), also }),
    /** The saved translations of a language: text, status and engine. */
    async kept(language = 'de-DE') {
      const rows = await db.sql<{ translated: string; status: number; engine: string }[]>`
        select translated, status, engine from translations where language = ${language} order by original_id`
      return rows.map(({ translated, status, engine }) => [translated, status, engine])
    },
    faults: async () => (await queueLengths(db.kysely)).map(({ state, fault, count }) => [state, fault, count]),
  }
}
