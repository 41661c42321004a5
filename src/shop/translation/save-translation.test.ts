import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Original, saveOriginalsForIds } from '#database/translation/translations.ts'
import { readHistory } from '#database/translation/write-translations.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { restoreTranslation, saveTranslation, saveTranslations, type TranslationChange } from './save-translation.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
})
afterAll(() => db.close())

const environment = systemEnvironment(systemLog('silent'))
const tools = () => ({ ...environment, db, pageSlugs: () => new Set<string>() })
let made = 0

async function anOriginal(change: Partial<Original> = {}): Promise<number> {
  made += 1
  const [id] = await saveOriginalsForIds(
    db.kysely,
    [{ area: 'content', text: `Salt bowl ${made}`, ...change }],
    new Date(),
  )
  return id ?? 0
}
const german = (originalId: number, change: Partial<TranslationChange> = {}): TranslationChange => ({
  originalId,
  language: 'de-DE',
  translated: 'Salzschale',
  status: 2,
  revision: null,
  by: null,
  ...change,
})

describe('a translation that is saved', () => {
  it('is refused when somebody was quicker, and shows what they wrote', async () => {
    const id = await anOriginal()
    expect(await saveTranslation(tools(), german(id, { revision: 0 }))).toMatchObject({ ok: true, revision: 1 })
    const late = await saveTranslation(tools(), german(id, { revision: 0, translated: 'Salznapf' }))
    expect(late).toMatchObject({ ok: false, reason: 'stale', current: { translated: 'Salzschale', revision: 1 } })
    expect(await saveTranslation(tools(), german(id, { revision: 1, translated: 'Salznapf' }))).toMatchObject({
      ok: true,
      revision: 2,
    })
  })

  it('is one of two that come at the same moment', async () => {
    const id = await anOriginal()
    const all = ['a', 'b', 'c', 'd'].map((translated) =>
      saveTranslation(tools(), german(id, { translated, revision: 0 })),
    )
    const results = await Promise.all(all)
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    const won = results.find((one) => one.ok)
    for (const lost of results.filter((one) => !one.ok))
      expect(lost).toMatchObject({ reason: 'stale', current: { translated: won?.ok ? won.translated : '' } })
  })

  it('by a machine is never put over that of a person', async () => {
    const id = await anOriginal()
    const machine = { status: 1, engine: 'deepl', translated: 'Salz-Schüssel' } as const
    expect(await saveTranslation(tools(), german(id, machine))).toMatchObject({ ok: true, status: 1, engine: 'deepl' })
    expect(await saveTranslation(tools(), german(id))).toMatchObject({ ok: true, status: 2, engine: '' })
    expect(await saveTranslation(tools(), german(id, machine))).toMatchObject({ ok: false, reason: 'reviewed' })
    expect(await saveTranslation(tools(), german(id, { status: 0, translated: 'x' }))).toMatchObject({
      ok: true,
      translated: '',
      status: 0,
    })
    expect(await saveTranslation(tools(), german(id, machine))).toMatchObject({ ok: true, status: 1 })
  })

  it('can be said again as it was before, any number of steps back', async () => {
    const id = await anOriginal()
    for (const translated of ['eins', 'zwei', 'drei']) await saveTranslation(tools(), german(id, { translated }))
    const place = { originalId: id, language: 'de-DE', form: '' as const }
    expect((await readHistory(db.kysely, place)).map(({ translated }) => translated)).toEqual(['drei', 'zwei', 'eins'])
    const back = { ...place, revision: 3, by: null }
    expect(await restoreTranslation(tools(), back)).toMatchObject({ ok: true, translated: 'zwei', revision: 4 })
    expect(await restoreTranslation(tools(), back)).toMatchObject({ ok: false, reason: 'stale' })
    expect(await restoreTranslation(tools(), { ...back, revision: 4 }, 1)).toMatchObject({
      ok: true,
      translated: 'eins',
      revision: 5,
    })
  })

  it('is text, whatever it looks like, and not a hundred kilobytes of it', async () => {
    const plain = await anOriginal()
    const hostile = '<script>alert(1)</script> $& \u202E &amp; __proto__'
    expect(await saveTranslation(tools(), german(plain, { translated: hostile }))).toMatchObject({
      ok: true,
      translated: '<script>alert(1)</script> $&  &amp; __proto__',
    })
    expect(await saveTranslation(tools(), german(plain, { translated: 'x'.repeat(100_000) }))).toMatchObject({
      reason: 'too-long',
    })
    const marked = await anOriginal({ text: 'See <a href="/faq/">here</a>', markup: true })
    expect(
      await saveTranslation(tools(), german(marked, { translated: '<a href="javascript:x">da</a><script>' })),
    ).toMatchObject({
      translated: '<a>da</a>&lt;script&gt;',
    })
    expect(await saveTranslation(tools(), german(999_999))).toMatchObject({ ok: false, reason: 'unknown-original' })
  })

  it('of the interface fills in what the original fills in', async () => {
    const id = await anOriginal({ area: 'interface', text: '%s of %s pieces' })
    expect(await saveTranslation(tools(), german(id, { translated: '%s Stück' }))).toMatchObject({
      ok: false,
      reason: 'places',
    })
    expect(await saveTranslation(tools(), german(id, { translated: '%2$s Stück, %1$s' }))).toMatchObject({ ok: true })
    // "one piece" does not need the placeholder of its number.
    expect(await saveTranslation(tools(), german(id, { translated: 'ein Stück', form: 'one' }))).toMatchObject({
      ok: true,
    })
  })

  it('of an address leads to one thing alone', async () => {
    const [a, b] = [
      await anOriginal({ area: 'slug', context: 'product', text: 'bowl' }),
      await anOriginal({ area: 'slug', context: 'product', text: 'dish' }),
    ]
    await db.sql`insert into products (type, sku, name, slug) values ('simple', 'CUP', 'Cup', 'cup')`
    expect(await saveTranslation(tools(), german(a, { translated: ' Große Schale ' }))).toMatchObject({
      translated: 'große-schale',
    })
    expect(await saveTranslation(tools(), german(b, { translated: 'große-schale' }))).toMatchObject({ reason: 'taken' })
    expect(await saveTranslation(tools(), german(b, { translated: 'cup' }))).toMatchObject({ reason: 'taken' })
    expect(await saveTranslation(tools(), german(b, { translated: 'a/b' }))).toMatchObject({ reason: 'slug' })
    expect(await saveTranslation(tools(), german(b, { translated: 'お皿' }))).toMatchObject({ ok: true })
  })

  it('does not hold up the others of the same batch', async () => {
    const [a, b] = [await anOriginal(), await anOriginal()]
    await saveTranslation(tools(), german(b, { translated: 'Schale' }))
    const results = await saveTranslations(tools(), [
      german(a),
      german(b, { status: 1 }),
      german(a, { translated: 'x' }),
    ])
    expect(results.map((one) => (one.ok ? 'ok' : one.reason))).toEqual(['ok', 'reviewed', 'stale'])
  })
})
