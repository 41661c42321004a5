import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { saveOriginalsForIds } from '#database/translation/translations.ts'
import { readAssets } from '#server/http/assets.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { type RunningShop, startShop } from '#server/operations/startup/start-shop.ts'
import { saveTranslation } from '#shop/translation/save-translation.ts'
import { aShop, clientFolder, rootFolder, type TestShop } from '#tests/support/shop.ts'

const settings = { languages: [{ tag: 'de-DE' }, { tag: 'it-IT' }] }

let shop: TestShop
let other: RunningShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings })
  other = await startShop({
    environment: systemEnvironment(systemLog('silent')),
    databaseUrl: shop.databaseUrl,
    dataDir: shop.dataDir,
    clientFolder,
    rootFolder,
    assets: await readAssets(clientFolder),
    paypal: null,
    host: '127.0.0.1',
    port: 0,
    publicBaseUrl: null,
    smtpUrl: null,
    secret: 'a secret for tests that is long enough',
    connections: 4,
  })
})
afterAll(async () => {
  await other.stop()
  await shop.close()
})

const page = async (at: { url: string }, path: string) => (await fetch(at.url + path)).text()
/** A whole page would be a long message of a test that fails. */
const says = async (at: { url: string }, path: string, text: string) => (await page(at, path)).includes(text)
const tools = () => shop.shop.application.tools
const idOf = async (area: 'interface' | 'content', text: string) => {
  const [id] = await saveOriginalsForIds(shop.db.kysely, [{ area, text }], new Date())
  return id ?? 0
}
const byPerson = { language: 'de-DE', status: 2, revision: null, by: null } as const

describe('the memory of translations', () => {
  it('TRN-10 a translation that is saved in one process is on the next page of another', async () => {
    await page(other, '/de/shop/')
    const saved = { ...byPerson, originalId: await idOf('interface', 'Add to cart'), translated: 'Rein damit' }
    expect(await saveTranslation(tools(), saved)).toMatchObject({ ok: true })
    await vi.waitFor(async () => expect(await says(other, '/de/shop/', 'Rein damit')).toBe(true), {
      // A second is what is promised, and it takes some twenty milliseconds; a machine at its limit may take longer.
      timeout: 5000,
      interval: 50,
    })
    expect(await says(other, '/shop/', 'Rein damit')).toBe(false)
    expect(await says(other, '/it/shop/', 'Rein damit')).toBe(false)
  })

  it('takes in the words that come with the shop, once, and never over a person’s', async () => {
    const rows = await shop.db.sql<{ language: string; n: number }[]>`
      select language, count(*)::int as n from translations group by language`
    expect(rows.map(({ language }) => language)).toEqual(['de-DE'])
    expect(rows[0]?.n).toBeGreaterThan(700)
    // Italian has no file: nothing is said in it, and all of it can be.
    const [originals] = await shop.db.sql<
      { n: number }[]
    >`select count(*)::int as n from translation_originals where area = 'interface'`
    expect(originals?.n).toBeGreaterThan(700)
    expect(await page(shop, '/it/cart/')).toContain('cart')
  })

  it('TRN-10 notes the texts of the merchant that a page showed, for who translates', async () => {
    await page(shop, '/it/shop/')
    await vi.waitFor(async () => {
      const noted = await shop.db
        .sql`select from translation_originals where area = 'content' and original = 'Plain mug'`
      expect(noted.length).toBe(1)
    })
  })

  it('learns a language that the merchant adds while the shop is open, and speaks one in which he writes', async () => {
    await writeSettings(shop.db, { languages: [...settings.languages, { tag: 'es-ES' }] })
    await vi.waitFor(async () => expect(await says(other, '/es/cart/', 'Tu carrito')).toBe(true), {
      timeout: 5000,
      interval: 50,
    })
    await writeSettings(shop.db, { language: 'fr-FR', languages: [] })
    await vi.waitFor(async () => expect(await says(other, '/shop/', 'Ajouter au panier')).toBe(true), {
      timeout: 5000,
      interval: 50,
    })
  })
})
