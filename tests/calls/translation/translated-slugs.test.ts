import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { endpointPaths, pagesWithEndpoints, reservedPath } from '#contract/shared/reserved-paths.ts'
import { saveOriginalsForIds, translationsChanged } from '#database/translation/translations.ts'
import { lockTranslations } from '#database/translation/write-translations.ts'
import { writeJson } from '#domain/translation/exchange-json.ts'
import { writePo } from '#domain/translation/exchange-po.ts'
import { writeXliff } from '#domain/translation/exchange-xliff.ts'
import { restCalls } from '#server/calls/shared/call-routes.ts'
import { pageRoutes } from '#server/pages/shared/page-routes.ts'
import { changedSetting } from '#shop/operations/settings/change-setting.ts'
import { declaredSettings } from '#shop/operations/settings/declared-settings.ts'
import { undoEdit } from '#shop/translation/edit-translations.ts'
import { formatOf, importTranslations, readTranslations } from '#shop/translation/exchange-translations.ts'
import { saveTranslation, saveTranslations } from '#shop/translation/save-translation.ts'
import { importContentTranslations } from '#shop/translation/translation-seeds.ts'
import type { SlugKind } from '#shop/translation/translator.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { saveSlugTranslations } from '#tests/support/translation/add-slugs.ts'

let shop: TestShop
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slugs-'))
  for (const page of ['about', 'contact', 'faq', 'warenkorb', 'de', 'translate', 'api', 'desk'])
    await writeFile(join(folder, `${page}.md`), `---\ntitle: The page ${page}\n---\nText of ${page}.\n`)
  shop = await aShop({ contentFolder: folder, settings: { languages: [{ tag: 'de-DE' }, { tag: 'fr-FR' }] } })
  await saveSlugTranslations(shop, 'de-DE', {
    base: { checkout: 'kasse', product: 'produkt', 'my-account': 'konto', orders: 'bestellungen' },
    page: { contact: 'kontakt' },
    tag: { clay: 'ton' },
  })
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

const tools = () => shop.shop.application.tools
const idOf = async (kind: SlugKind, own: string) => {
  const [id] = await saveOriginalsForIds(shop.db.kysely, [{ area: 'slug', context: kind, text: own }], new Date())
  return id ?? 0
}
const german = { language: 'de-DE', status: 2, revision: null, by: null } as const
const saved = async (kind: SlugKind, own: string, translated: string) => {
  const result = await saveTranslation(tools(), { ...german, originalId: await idOf(kind, own), translated })
  return result.ok ? 'saved' : result.reason
}
const status = async (path: string) => {
  const answer = await fetch(shop.url + path, { redirect: 'manual', headers: { accept: 'text/html' } })
  const text = await answer.text()
  return `${answer.status} ${answer.headers.get('location') ?? /<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1]?.trim() ?? ''}`
}

describe('a translated path part', () => {
  it.each<[SlugKind, string, string, string]>([
    ['page', 'about', 'kasse', 'taken'],
    ['page', 'about', 'kontakt', 'taken'],
    ['page', 'about', 'contact', 'taken'],
    ['page', 'about', 'checkout', 'reserved'],
    ['page', 'about', 'assets', 'reserved'],
    ['page', 'about', 'wp-json', 'reserved'],
    ['page', 'about', 'wc-ajax', 'reserved'],
    ['page', 'about', 'translate', 'reserved'],
    ['page', 'about', 'desk', 'reserved'],
    ['page', 'about', 'robots.txt', 'reserved'],
    ['page', 'about', 'sitemap-pages.xml', 'reserved'],
    ['page', 'about', 'de', 'reserved'],
    ['page', 'about', 'FR', 'reserved'],
    ['page', 'about', 'en', 'reserved'],
    ['base', 'checkout', 'assets', 'reserved'],
    ['base', 'checkout', 'cart', 'reserved'],
    ['base', 'checkout', 'fr', 'reserved'],
    ['base', 'checkout', 'produkt', 'taken'],
    ['base', 'checkout', 'kontakt', 'taken'],
    ['base', 'checkout', 'faq', 'taken'],
    ['base', 'view-order', 'downloads', 'reserved'],
    ['base', 'view-order', 'bestellungen', 'taken'],
    ['base', 'view-order', '7', 'reserved'],
    ['product', 'plain-mug', '2024', 'reserved'],
    ['tag', 'vase', 'clay', 'taken'],
  ])('of the %s "%s" is never "%s"', async (kind, own, translated, reason) => {
    await shop.db.sql`insert into tags (name, slug) values ('Clay', 'clay') on conflict do nothing`
    expect(await saved(kind, own, translated)).toBe(reason)
  })

  it('may be any other word, its own one, or one that was given up', async () => {
    expect(await saved('page', 'about', 'ueber-uns')).toBe('saved')
    expect(await saved('base', 'shop', 'shop')).toBe('saved')
    expect(await saved('page', 'faq', 'faq')).toBe('saved')
    expect(await saved('product', 'plain-mug', 'assets')).toBe('saved')
    expect(await saved('page', 'about', 'ueber')).toBe('saved')
    expect(await saved('page', 'faq', 'ueber-uns')).toBe('saved')
  })

  it('is one of two that are saved together, or by two people at the same moment', async () => {
    const [cart, tag] = [await idOf('base', 'cart'), await idOf('base', 'product-tag')]
    const together = await saveTranslations(tools(), [
      { ...german, originalId: cart, translated: 'gleich' },
      { ...german, originalId: tag, translated: 'gleich' },
    ])
    expect(together.map((one) => (one.ok ? 'saved' : one.reason))).toEqual(['saved', 'taken'])
    const atOnce = await Promise.all([
      saved('page', 'privacy-policy', 'zugleich'),
      saved('page', 'terms', 'zugleich'),
      saved('page', 'shipping', 'zugleich'),
    ])
    expect(atOnce.toSorted()).toEqual(['saved', 'taken', 'taken'])
  })

  it.each([
    ['po', writePo],
    ['xliff', writeXliff],
    ['json', writeJson],
  ] as const)('is refused in a %s file, which is then not read at all', async (format, write) => {
    const unit = { area: 'slug', markup: false, status: 2 } as const
    const text = write({
      language: 'de-DE',
      source: 'en-US',
      units: [
        { ...unit, context: 'page', original: 'shipping', translated: `versand-${format}` },
        { ...unit, context: 'page', original: 'terms', translated: 'kasse' },
        { ...unit, context: 'base', original: 'checkout', translated: 'assets' },
      ],
    })
    const read = readTranslations(formatOf(`slugs.${format}`, text), text)
    if (!read.ok) throw new Error(read.problem)
    const options = { language: 'de-DE', joining: 'replace', dryRun: false } as const
    const result = await importTranslations(tools(), read.units, options)
    if (result.ok) throw new Error('the file was taken in')
    expect(result.faults.map(({ problem }) => problem)).toEqual([
      'This part of an address leads elsewhere already.',
      expect.stringMatching(/reserved/),
    ])
    expect(await shop.db.sql`select from translations where translated = ${`versand-${format}`}`).toHaveLength(0)
  })

  it('is refused in a file of slugs that comes with a shop, and the others are taken in', async () => {
    const seeds = join(folder, 'seeds')
    await mkdir(seeds, { recursive: true })
    await writeFile(join(seeds, 'fr.json'), '{}')
    await writeFile(
      join(seeds, 'slugs.fr.json'),
      JSON.stringify({ base: { checkout: 'assets', cart: 'panier' }, page: { about: 'panier', contact: 'contact' } }),
    )
    await importContentTranslations(tools(), seeds, ['fr-FR'])
    const rows = await shop.db.sql<{ original: string; translated: string }[]>`
      select original, translated from translations join translation_originals on id = original_id
      where language = 'fr-FR' and area = 'slug' order by original`
    expect(rows.map(({ original, translated }) => `${original}=${translated}`)).toEqual([
      'cart=panier',
      'contact=contact',
    ])
  })

  it('is refused when an older one is restored that was given to another meanwhile', async () => {
    const [first, second] = [await idOf('page', 'first'), await idOf('page', 'second')]
    for (const translated of ['erste', 'zweite'])
      await saveTranslation(tools(), { ...german, originalId: first, translated })
    expect(await saved('page', 'second', 'erste')).toBe('saved')
    const undone = await undoEdit(tools(), { id: first, language: 'de-DE', form: '', revision: 2, by: 0 })
    expect(undone).toMatchObject({ ok: false, reason: 'taken' })
    expect(
      await shop.db.kysely
        .transaction()
        .execute((tx) => lockTranslations(tx, [{ originalId: second, language: 'de-DE', form: '' }])),
    ).toMatchObject([{ translated: 'erste' }])
  })
})

describe('a language', () => {
  it.each([
    ['pay', false],
    ['api', false],
    ['wp-json', false],
    ['faq', false],
    ['it', true],
  ])('that would begin its addresses with /%s/ is set: %s', (slug, isSet) => {
    const changed = changedSetting(
      tools().settings,
      'languages',
      JSON.stringify([{ tag: 'it-IT', slug }]),
      tools().pageSlugs(),
    )
    expect(changed.ok).toBe(isSet)
    const file = { settings: { languages: [{ tag: 'it-IT', slug }] } }
    expect(declaredSettings(tools().settings, file, tools().pageSlugs()).ok).toBe(isSet)
  })
})

describe('the reserved path parts', () => {
  it('are all that routes of the shop begin with, and the further words of its pages', () => {
    const paths = [...pageRoutes.map(({ path }) => path), ...restCalls.keys()].map((path) => path.split('/').slice(1))
    const firsts = paths.map(([first = '']) => first).filter((first) => first !== '' && !first.startsWith(':'))
    expect(firsts.filter((first) => reservedPath(first) === null)).toEqual([])
    const further = paths.flatMap(([first = '', ...more]) => (pagesWithEndpoints.has(first) ? more : []))
    expect(further.filter((part) => /^[a-z-]+$/.test(part) && !endpointPaths.has(part))).toEqual([])
  })
})

describe('a page file', () => {
  it.each([
    ['/translate/', /^(?!.*The page)/],
    ['/api/', /^(?!.*The page)/],
    ['/desk/', /^(?!.*The page)/],
    ['/faq/', /^200 The page faq/],
    ['/warenkorb/', /^200 The page warenkorb/],
  ])('%s is a page only where the shop itself has nothing', async (path, expected) => {
    expect(await status(path)).toMatch(expected)
  })
})

describe('translations that were saved before this was checked', () => {
  it('leave every page reachable: a word that leads elsewhere is not used', async () => {
    const rows: readonly [SlugKind, string, string][] = [
      ['page', 'about', 'kasse'],
      ['page', 'contact', 'faq'],
      ['base', 'cart', 'assets'],
      ['base', 'my-account', 'warenkorb'],
      ['base', 'shop', 'fr'],
      ['product', 'plain-mug', '2024'],
    ]
    for (const [kind, own, translated] of rows) {
      const id = await idOf(kind, own)
      await shop.db.sql`
        insert into translations (original_id, language, form, translated, status) values (${id}, 'de-DE', '', ${translated}, 2)
        on conflict (original_id, language, form) do update set translated = excluded.translated, status = 2`
    }
    await shop.db.kysely.transaction().execute((tx) => translationsChanged(tx, ['de-DE'], ['slug']))
    await vi.waitFor(async () => expect(await status('/de/about/')).toBe('200 The page about'), { timeout: 10_000 })
    expect(await status('/de/kontakt/')).toMatch(/^404/)
    expect(await status('/de/contact/')).toBe('200 The page contact')
    expect(await status('/de/faq/')).toMatch(/The page faq|301/)
    expect(await status('/de/warenkorb/')).toBe('200 The page warenkorb')
    expect(await status('/de/shop/')).toMatch(/^200/)
    expect(await status('/de/cart/')).toMatch(/^200/)
    expect(await status('/de/my-account/')).toMatch(/^200/)
    expect(await status('/de/checkout/')).toMatch(/^30[12] \/de\/kasse\//)
    expect(await status('/de/kasse/')).not.toMatch(/The page about/)
    expect(await status('/de/produkt/plain-mug/')).toMatch(/^200/)
  })
})
