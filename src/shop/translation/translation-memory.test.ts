import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import type { ShopLanguage } from '#contract/translation/languages.ts'
import { type Original, saveOriginalsForIds } from '#database/translation/translations.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { boundedCache } from './bounded-cache.ts'
import { saveTranslation } from './save-translation.ts'
import { createTranslationMemory } from './translation-memory.ts'
import { importContentTranslations, importInterfaceWords, importShopWords } from './translation-seeds.ts'
import type { Translator } from './translator.ts'

let db: TestDatabase
let folder: string
beforeAll(async () => {
  db = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'seeds-'))
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

const environment = systemEnvironment(systemLog('silent'))
const tools = () => ({ ...environment, db, pageSlugs: () => new Set<string>() })
const language = (tag: string): ShopLanguage => ({ tag, slug: tag.slice(0, 2), name: tag, dir: 'ltr', published: true })
const speaking = async <Result>(tag: string, talk: (translator: Translator) => Promise<Result>): Promise<Result> => {
  const memory = createTranslationMemory(tools())
  try {
    return await talk(await memory.translator(language(tag), 'en-US'))
  } finally {
    await memory.stop()
  }
}
async function say(
  original: Original,
  translated: string,
  tag = 'de-DE',
  form: '' | 'one' | 'other' = '',
): Promise<void> {
  const [id] = await saveOriginalsForIds(db.kysely, [original], new Date())
  const change = { originalId: id ?? 0, language: tag, form, translated, status: 2, revision: null, by: null } as const
  expect(await saveTranslation(tools(), change)).toMatchObject({ ok: true })
}

describe('a language as it is spoken', () => {
  it('has at hand what was looked up before, and nothing else', async () => {
    await say({ area: 'content', text: 'Sugar bowl' }, 'Zuckerschale')
    await say({ area: 'content', text: 'Of <b>tin</b>', markup: true }, 'Aus <b>Zinn</b>')
    await speaking('de-DE', async ({ texts, markup, remembered }) => {
      const atHand = () => ['Sugar bowl', 'Nowhere met', '42', ''].map((text) => remembered?.text(text))
      expect(atHand()).toEqual([undefined, undefined, '42', ''])
      await texts(['Sugar bowl', 'Nowhere met'])
      expect(atHand()).toEqual(['Zuckerschale', 'Nowhere met', '42', ''])
      expect(remembered?.markup('<p>Of <b>tin</b></p>')).toBeUndefined()
      await markup(['<p>Of <b>tin</b></p>'])
      expect(remembered?.markup('<p>Of <b>tin</b></p>')).toBe('<p>Aus <b>Zinn</b></p>')
      expect(remembered?.markup('')).toBe('')
    })
  })

  it('says texts and markup of the merchant, with blanks and tags where they stood', async () => {
    await say({ area: 'content', text: 'Salt bowl' }, 'Salzschale $& & <b>')
    await say({ area: 'content', text: 'Made <b>by hand</b>', markup: true }, 'Von <b>Hand</b> gemacht')
    await speaking('de-DE', async ({ texts, markup }) => {
      const given = ['Salt bowl', ' Salt\u00A0 bowl\n', 'salt bowl', 'length', '__proto__', '', '42', 'Salt bowl']
      const said = [
        'Salzschale $& & <b>',
        ' Salzschale $& & <b>\n',
        'salt bowl',
        'length',
        '__proto__',
        '',
        '42',
        'Salzschale $& & <b>',
      ]
      expect(await texts(given)).toEqual(said)
      // Later reads use the cache.
      expect(await texts(given)).toEqual(said)
      const html = '<div class="x"><p>Salt bowl</p><p>Made <b>by hand</b></p><code>Salt bowl</code></div>'
      const made =
        '<div class="x"><p>Salzschale $&amp; &amp; &lt;b&gt;</p><p>Von <b>Hand</b> gemacht</p><code>Salt bowl</code></div>'
      expect(await markup([html, '', html])).toEqual([made, '', made])
    })
    // Another language has no translation of it.
    expect(await speaking('fr-FR', ({ texts }) => texts(['Salt bowl']))).toEqual(['Salt bowl'])
  })

  it('says words and counts of the interface, and parts of addresses', async () => {
    await say({ area: 'interface', text: 'Cart' }, 'Warenkorb')
    await say({ area: 'interface', text: '%s items' }, 'ein Artikel', 'de-DE', 'one')
    await say({ area: 'interface', text: '%s items' }, '%s Artikel', 'de-DE', 'other')
    await say({ area: 'slug', context: 'product', text: 'salt-bowl' }, 'salzschale')
    await speaking('de-DE', async ({ t, n, slug, slugFrom, known }) => {
      expect([t('Cart'), t('Nothing of the kind')]).toEqual(['Warenkorb', 'Nothing of the kind'])
      expect([n(1, '%s item', '%s items'), n(3, '%s item', '%s items')]).toEqual(['ein Artikel', '3 Artikel'])
      expect([slug('product', 'salt-bowl'), slug('page', 'salt-bowl')]).toEqual(['salzschale', 'salt-bowl'])
      expect([slugFrom('product', 'salzschale'), slugFrom('product', 'salt-bowl')]).toEqual(['salt-bowl', undefined])
      const found = await known(['Cart', 'Salt bowl', 'What a visitor typed'])
      expect(found.map((one) => one?.translated)).toEqual(['Warenkorb', 'Salzschale $& & <b>', undefined])
    })
  })

  it('notes what was asked for the shop and nobody has met, and nothing that a visitor asked', async () => {
    await speaking('fr-FR', async ({ texts, markup, known }) => {
      await texts(['A new lamp', '12 %', 'https://shop.example/'])
      await markup(['<p>Bright <b>light</b></p>'])
      await known(['My name is Ida'])
    })
    const rows = await db.sql`select original, markup from translation_originals where original in
      ('A new lamp', '12 %', 'https://shop.example/', 'Bright <b>light</b>', 'My name is Ida') order by original`
    expect(rows.map(({ original, markup }) => [original, markup])).toEqual([
      ['A new lamp', false],
      ['Bright <b>light</b>', true],
    ])
  })

  it('says the merchant’s text in the shop’s own words where they are the same, unless it is said otherwise', async () => {
    await say({ area: 'interface', text: 'Cheque' }, 'Scheck')
    expect(await speaking('de-DE', ({ texts }) => texts(['Cheque']))).toEqual(['Scheck'])
    const rows = await db.sql`select from translation_originals where area = 'content' and original = 'Cheque'`
    expect(rows).toHaveLength(0)
    await say({ area: 'content', text: 'Cheque' }, 'Schecks')
    expect(await speaking('de-DE', ({ texts }) => texts(['Cheque']))).toEqual(['Schecks'])
  })

  it('costs the merchant’s own language nothing', async () => {
    const asked = vi.fn((...place: Parameters<typeof Reflect.get>) => Reflect.get(...place))
    const kysely = new Proxy(db.kysely, { get: asked })
    const memory = createTranslationMemory({ ...tools(), db: { ...db, kysely: kysely as typeof db.kysely } })
    const own = await memory.translator({ ...language('en-US'), slug: '' }, 'en-US')
    expect(await own.texts(['Salt bowl'])).toEqual(['Salt bowl'])
    expect(own.isOwn).toBe(true)
    expect(asked).not.toHaveBeenCalled()
  })

  it('asks the database once for all texts of a page, and again only when something changed', async () => {
    const memory = createTranslationMemory(tools())
    const german = await memory.translator(language('de-DE'), 'en-US')
    expect(await memory.translator(language('de-DE'), 'en-US')).toBe(german)
    memory.changed(['fr-FR'])
    expect(await memory.translator(language('de-DE'), 'en-US')).toBe(german)
    memory.changed(['de-DE'])
    expect(await memory.translator(language('de-DE'), 'en-US')).not.toBe(german)
    await memory.stop()
  })
})

describe('translations that come with the shop', () => {
  const german = () => db.sql<{ original: string; form: string; translated: string; engine: string }[]>`
    select original, form, translated, engine from translations join translation_originals on id = original_id
    where language = 'de-AT' order by original, form`

  it('are taken in once, changed with the file, and never put over a person’s', async () => {
    const file = (words: object) => writeFile(join(folder, 'de.json'), JSON.stringify(words))
    await file({ Basket: 'Korb', Shelf: 'Regal', Lid: 'Deckel', '%s lids': { one: 'ein Deckel', other: '%s Deckel' } })
    expect(await importInterfaceWords(tools(), folder, ['de-AT', 'sv-SE'])).toEqual(['de-AT', 'sv-SE'])
    expect(await importInterfaceWords(tools(), folder, ['de-AT', 'sv-SE'])).toEqual([])
    expect((await german()).map(({ translated }) => translated)).toEqual([
      'ein Deckel',
      '%s Deckel',
      'Korb',
      'Deckel',
      'Regal',
    ])
    await say({ area: 'interface', text: 'Shelf' }, 'Bord', 'de-AT')
    await say({ area: 'interface', text: 'Lid' }, 'Deckelchen', 'de-AT')
    await file({ Basket: 'Körbchen', Shelf: 'Stellage' })
    expect(await importInterfaceWords(tools(), folder, ['de-AT'])).toEqual(['de-AT'])
    // Words removed from the file are deleted, except those that a person has changed.
    expect((await german()).map(({ original, translated, engine }) => [original, translated, engine])).toEqual([
      ['Basket', 'Körbchen', 'seed'],
      ['Lid', 'Deckelchen', ''],
      ['Shelf', 'Bord', ''],
    ])
    const swedish = await db.sql`select from translations where language = 'sv-SE'`
    expect(swedish).toHaveLength(0)
  })

  describe('in English', () => {
    const shipped = join(import.meta.dirname, '../../../translations')
    const shippedTexts = Object.keys(JSON.parse(readFileSync(join(shipped, 'de.json'), 'utf8')))
    const said = async (tag: string, own: string) => {
      const memory = createTranslationMemory(tools())
      const { t, n } = await memory.translator({ ...language(tag), slug: tag === own ? '' : 'gb' }, own)
      await memory.stop()
      return [t('Check'), t('Order canceled'), t('Add to cart'), n(1, '%s item', '%s items')]
    }
    const american = ['Check', 'Order canceled', 'Add to cart', '1 item']
    const british = ['Cheque', 'Order cancelled', 'Add to cart', '1 item']

    it('are American in a shop in the United States, whose texts are those of the code', async () => {
      expect(await said('en-US', 'en-US')).toEqual(american)
    })

    it.each([
      ['en-GB', 'en-GB', british],
      ['en-AU', 'en-AU', british],
      ['en-GB', 'en-US', british],
      ['en-US', 'en-GB', american],
    ])('%s besides or in a shop in %s needs no translating', async (tag, own, expected) => {
      const languages = own === tag ? [] : [{ tag, published: true }]
      const settings = shopSettings.parse({ language: own, languages })
      await importShopWords({ ...tools(), settings }, shipped)
      expect(await said(tag, own)).toEqual(expected)
      const [row] = await db.sql<{ missing: number }[]>`
        select count(*)::int as missing from translation_originals o where area = 'interface' and original = any(${shippedTexts})
          and not exists (select from translations t where t.original_id = o.id and t.language = ${tag})`
      // The singular of a count stands only in the code, so American English keeps that of its originals.
      expect(row?.missing ?? 0).toBeLessThan(tag === 'en-US' ? 30 : 1)
    })
  })

  it('are refused by name when they are no such file', async () => {
    await writeFile(join(folder, 'de.json'), '{"Basket": 3}')
    await expect(importInterfaceWords(tools(), folder, ['de-CH'])).rejects.toThrow(/de\.json is not a translation file/)
  })

  it('bring the texts and addresses of a demo along', async () => {
    const demo = join(folder, 'demo')
    await cp(join(import.meta.dirname, '../../../demo/translations'), demo, { recursive: true })
    await writeFile(
      join(demo, 'slugs.ar.json'),
      JSON.stringify({ product: { 'tidal-vase': 'mazhariya' }, base: { shop: 'matjar' } }),
    )
    await importContentTranslations(tools(), demo, ['ar', 'tlh'])
    await speaking('ar', async ({ texts, slug }) => {
      const [name] = await texts(['Tidal Vase'])
      expect(name).toMatch(/\p{Script=Arabic}/u)
      expect([slug('product', 'tidal-vase'), slug('base', 'shop')]).toEqual(['mazhariya', 'matjar'])
    })
  })
})

describe('what was used last', () => {
  it('is kept within its bytes, the oldest going first', () => {
    const cache = boundedCache<string>(
      () => 1000,
      (value) => value.length,
    )
    for (let at = 0; at < 100; at += 1) cache.put(`key ${at}`, 'x'.repeat(50))
    expect(cache.bytes).toBeLessThanOrEqual(1000)
    expect(cache.get('key 99')).toBeDefined()
    expect(cache.get('key 0')).toBeUndefined()
    cache.put('huge', 'x'.repeat(5000))
    expect(cache.get('huge')).toBeUndefined()
    expect(cache.get('key 99')).toBeDefined()
  })
})
