import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withQueue } from '#database/translation/queue.ts'
import { systemNetwork } from '#server/operations/startup/environment.ts'
import { translateQueue } from '#shop/translation/machine/translate-queue.ts'
import { monitorHeaders } from '#tests/support/process/monitor.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type Engines, translationEngines } from '#tests/support/translation/translation-engines.ts'

let server: Engines
let shop: TestShop
const asked: string[] = []
beforeAll(async () => {
  server = await translationEngines()
  shop = await aShop({
    settings: {
      languages: [{ tag: 'de-DE' }],
      translation: { machine: { engine: 'libretranslate', address: server.url } },
    },
    environment: {
      network: {
        fetch: (url, init) => {
          asked.push(String(url))
          return systemNetwork(['127.0.0.1']).fetch(url, init)
        },
      },
    },
  })
})
afterAll(async () => {
  await shop.close()
  await server.close()
})

const page = async (path: string, init: RequestInit = {}) => (await fetch(shop.url + path, init)).text()
/** The shop looks what waits when it opens: that is over soon. */
async function holdingQueue<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const held = await withQueue(shop.db, async () => ({ result: await work() }))
    if (held) return held.result
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const toEngine = () => asked.filter((url) => url.startsWith(server.url))

describe('a shop with an engine that translates', () => {
  it('asks it for nothing while visitors come, whatever they look at and send', async () => {
    const { tools } = shop.shop.application
    // With the queue held, what the shop does by itself each minute waits: whatever goes out now, a visitor has caused.
    const visited = await holdingQueue(async () => {
      await page('/de/shop/')
      const product = await page('/de/product/plain-mug/')
      await page('/de/?s=mug')
      await page('/de/nothing-here/')
      const originals = JSON.stringify(['A review of a stranger', 'Plain mug'])
      const form = { action: 'trp_get_translations_regular', language: 'de_DE', original_language: 'en_US', originals }
      await page('/wp-admin/admin-ajax.php', { method: 'POST', body: new URLSearchParams(form) })
      await expect
        .poll(async () => (await shop.db.sql`select 1 from translation_originals where original = 'Plain mug'`).length)
        .toBe(1)
      return product
    })
    expect(visited).toContain('Plain mug')
    expect(visited).not.toContain('[de] Plain mug')
    expect(toEngine()).toEqual([])
    expect(await shop.db.sql`select 1 from translation_spending`).toHaveLength(0)
    expect(await shop.db.sql`select 1 from translation_originals where original like '%stranger%'`).toHaveLength(0)

    const until = new Date(tools.clock.now().getTime() + 60_000)
    await expect.poll(async () => (await translateQueue(tools, { until })).end, { timeout: 30_000 }).toBe('done')
    await expect.poll(() => page('/de/product/plain-mug/'), { timeout: 5_000 }).toContain('[de] Plain mug')
    expect(await page('/product/plain-mug/')).not.toContain('[de]')
    const metrics = await page('/metrics', { headers: monitorHeaders })
    expect(metrics).toMatch(/^vitrine_translation_characters_today\{engine="libretranslate"\} [1-9]\d*$/m)
  })

  it('sends what pages hold, and nothing that is no language', async () => {
    const texts = server.calls.flatMap((call) => call.texts)
    expect(texts).toContain('Plain mug')
    expect(texts.filter((text) => /https?:|@|^[\d\s.,$€%]+$/.test(text))).toEqual([])
    expect(JSON.stringify(server.calls)).not.toContain('stranger')
  })
})
