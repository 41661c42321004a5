import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { cachedCatalog } from '#shop/catalog/cached-catalog.ts'
import { emptyCatalogCache } from '#shop/catalog/catalog-cache.ts'
import { localizedWordIndex } from '#shop/catalog/localized-search-words.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { say } from '#tests/support/translation/add-translations.ts'

const search = (term: string) => `/de/?s=${term}&post_type=product`
const patience = { timeout: 15_000, interval: 20 }
let aheadMs = 0
let shop: TestShop
beforeAll(async () => {
  shop = await aShop({
    wallet: false,
    cdnSeconds: 300,
    settings: { languages: [{ tag: 'de-DE' }] },
    environment: {
      clock: { ...systemEnvironment(systemLog('silent')).clock, now: () => new Date(Date.now() + aheadMs) },
    },
  })
})
afterAll(() => shop?.close())

const asked = async (term: string) => {
  const answer = await fetch(shop.url + search(term))
  const text = (await answer.text()).replace(/<[^>]*>/g, '')
  return { text, kept: answer.headers.get('Surrogate-Control') }
}

/** Gathering the words takes so long by the shop's clock: they are waited for until it is that much later. */
async function whileGatheringTakes<T>(ms: number, act: () => Promise<T>): Promise<T> {
  const { sql } = shop.db
  let acting: Promise<T> | undefined
  await sql.begin(async (tx) => {
    await tx`lock table translations in access exclusive mode`
    acting = act()
    await vi.waitFor(async () => {
      const waiting = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%char_length(o.original)%'`
      expect(waiting).toHaveLength(1)
    }, patience)
    aheadMs += ms
  })
  if (!acting) throw new Error('nothing was done')
  return acting
}

describe('P5 a search in a language whose words take long to gather', () => {
  it('goes on with those of before for a while, in an answer that nobody keeps, and finds what is new without any further change', async () => {
    await say(shop, 'de-DE', { 'Plain mug': 'Schlichter Becher' })
    // What every page needs of the language is known by then.
    await fetch(`${shop.url}/de/`)
    const before = await whileGatheringTakes(1_300, () => asked('becher'))
    expect(before.text).toContain('Schlichter Becher')
    expect(before.kept).not.toBeNull()

    await say(shop, 'de-DE', { 'Soup bowl': 'Suppenteller, quittengelb' })
    await vi.waitFor(async () => {
      const soon = await asked('suppenteller')
      expect(soon).toMatchObject({ text: expect.not.stringContaining('quittengelb'), kept: null })
    }, patience)

    // Pages live for a minute.
    aheadMs += 40_000
    await vi.waitFor(async () => {
      const later = await asked('suppenteller')
      expect(later).toMatchObject({ text: expect.stringContaining('quittengelb'), kept: expect.any(String) })
    }, patience)
  })

  it('goes on with those of before where the new ones cannot be read, and reads them with the next search', async () => {
    let isBroken = false
    const broken = new Proxy(shop.db.sql, {
      apply(sql, self, [pieces, ...values]: [TemplateStringsArray, ...never[]]) {
        if (isBroken && pieces.join('').includes('translation_originals')) throw new Error('no connection')
        return Reflect.apply(sql, self, [pieces, ...values])
      },
    })
    const { tools } = shop.shop.application.inLanguage('de-DE')
    const withBroken = { ...tools, db: { ...tools.db, sql: broken }, catalogCache: emptyCatalogCache() }
    const gathered = async () => localizedWordIndex(withBroken, await cachedCatalog(withBroken))
    const before = await gathered()
    expect(before).toMatchObject({ words: expect.anything(), isBehind: false })

    const known = await tools.translator()
    await say(shop, 'de-DE', { 'Plain mug': 'Schlichter Humpen' })
    await vi.waitFor(async () => expect(await tools.translator()).not.toBe(known))
    isBroken = true
    expect(await gathered()).toEqual({ words: before.words, isBehind: true })
    isBroken = false
    const after = await gathered()
    expect(after.isBehind).toBe(false)
    expect(after.words).not.toBe(before.words)
  })
})
