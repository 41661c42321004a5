import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveOriginals } from '#database/translation/translations.ts'
import { aShopOfProcesses, type ShopOfProcesses } from '#tests/support/process/process.ts'
import { type Engines, key, translationEngines } from '#tests/support/translation/translation-engines.ts'

let server: Engines
let shop: ShopOfProcesses
beforeAll(async () => {
  server = await translationEngines()
  shop = await aShopOfProcesses({
    settings: {
      languages: [{ tag: 'de-DE' }],
      translation: { machine: { engine: 'deepl', address: server.url } },
    },
  })
  const texts = ['A cup that waits', 'A bowl that waits']
  const originals = texts.map((text) => ({ area: 'content' as const, text }))
  await saveOriginals(shop.db.kysely, originals, new Date())
})
afterAll(async () => {
  await shop.close()
  await server.close()
})

const env = { TRANSLATION_KEY: key }

describe('a shop that is killed while the machine translates', () => {
  it('has all of it translated when it is back, once, and tells nobody its key', async () => {
    server.failAll(() => 'hang')
    await shop.start({ env })
    await expect.poll(() => server.calls.length, { timeout: 30_000 }).toBeGreaterThan(0)
    await shop.kill()
    server.failAll(null)
    await shop.start({ env })
    // At once, or with the next minute when the database has not noticed yet that the first process is gone.
    const kept = () => shop.db.sql`select translated from translations where translated like '%waits' order by 1`
    await expect.poll(async () => (await kept()).length, { timeout: 90_000, interval: 200 }).toBe(2)
    expect((await kept()).map(({ translated }) => translated)).toEqual([
      '[de] A bowl that waits',
      '[de] A cup that waits',
    ])
    expect(await shop.db.sql`select 1 from translation_history`).toHaveLength(0)
    expect(shop.output()).not.toContain(key)
  })
})
