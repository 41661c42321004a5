import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { saveOriginals } from '#database/translation/translations.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { commands } from '../commands.ts'
import { completionCommand } from '../completion/completion.ts'
import { translationsCommand } from './translations.ts'

let db: TestDatabase
let folder: string
beforeAll(async () => {
  db = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'translations-'))
  await writeSettings(db, { languages: [{ tag: 'de-DE' }, { tag: 'ar' }] })
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})
const originals = [
  { area: 'interface', text: 'Add to cart' },
  { area: 'interface', text: '%s items' },
  { area: 'content', text: 'Salt "bowl"\nwith a line' },
  { area: 'content', text: 'Made <b>by hand</b>', markup: true },
  { area: 'slug', context: 'product', text: 'salt-bowl' },
] as const
beforeEach(async () => {
  await db.sql`delete from translation_originals`
  await saveOriginals(db.kysely, originals, new Date())
})

const translations = (...args: string[]) => runCommand(translationsCommand, db, ...args)
const said = async () => {
  const rows = await db.sql<{ original: string; language: string; form: string; translated: string; status: number }[]>`
    select original, language, form, translated, status from translations join translation_originals on id = original_id
    order by original, language, form`
  return rows.map(({ original, language, form, translated, status }) =>
    [original, language, form, translated, status].join('|'),
  )
}
async function imported(name: string, text: string, ...options: string[]) {
  const file = join(folder, name)
  await writeFile(file, text)
  return translations('import', file, ...options)
}

describe('npm run shop -- translations', () => {
  it('lists, searches, says and takes back', async () => {
    expect(await translations('set', 'de', 'Add to cart', 'In den Warenkorb')).toMatchObject({
      code: 0,
      err: 'Translated "Add to cart" in de: In den Warenkorb',
    })
    expect(await translations('set', 'de-DE', 'Add to cart', 'Kaufen')).toMatchObject({ code: 0 })
    expect((await translations('list', 'de-DE', '--search', 'kauf')).out).toMatch(
      /interface +reviewed +Add to cart +Kaufen/,
    )
    expect((await translations('list', 'de-DE', '--status', 'missing', '--json')).out).not.toContain('Add to cart')
    expect(await translations('undo', 'de-DE', 'Add to cart')).toMatchObject({
      code: 0,
      err: 'Restored "Add to cart" in de-DE: In den Warenkorb',
    })
    expect((await translations('stats')).out).toMatch(/de-DE +Deutsch +interface +2 +1 +0 +1/)
    expect(await translations('set', 'de-DE', 'Nowhere', 'x')).toMatchObject({ code: 1 })
    expect(await translations('set', 'sv', 'Add to cart', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('de-DE'),
    })
    expect(await translations('set', 'en-US', 'Add to cart', 'x')).toMatchObject({ code: 2 })
    expect(await translations('set', 'de-DE', '%s items', 'viele')).toMatchObject({
      code: 1,
      err: expect.stringContaining('%s'),
    })
  })

  it.each(['po', 'xliff', 'json'])(
    'moves to another shop in a file (%s), and changes nothing in this one',
    async (format) => {
      await translations('set', 'ar', 'Add to cart', 'أضف إلى السلة')
      await translations('set', 'ar', '%s items', 'قطعة واحدة', '--form', 'one')
      await translations('set', 'ar', '%s items', '%s قطع', '--form', 'few')
      await translations('set', 'ar', 'Salt "bowl"\nwith a line', 'وعاء "ملح" $& <b>')
      await translations('set', 'ar', 'Made <b>by hand</b>', 'صنع <b>باليد</b> &amp; <u>x</u>')
      await translations('set', 'ar', 'salt-bowl', 'وعاء')
      const before = await said()
      const file = join(folder, `all.${format}`)
      expect(await translations('export', 'ar', file)).toMatchObject({ code: 0, err: `Exported 5 texts to ${file}.` })
      expect(await translations('import', file)).toMatchObject({
        err: 'Imported translations: 0 saved, 6 unchanged, 0 kept, 0 unknown, 0 without a translation.',
      })
      await db.sql`delete from translation_originals where area <> 'interface'`
      await db.sql`delete from translations`
      expect(await translations('import', file, '--dry-run')).toMatchObject({
        code: 0,
        err: expect.stringContaining('Nothing was changed.'),
      })
      expect(await said()).toEqual([])
      expect(await translations('import', file)).toMatchObject({ code: 0, err: expect.stringContaining('6 saved') })
      expect(await said()).toEqual(before)
      expect((await readFile(file, 'utf8')).length).toBeGreaterThan(200)
    },
  )

  it('keeps what people have said unless told otherwise', async () => {
    await translations('set', 'de-DE', 'Add to cart', 'Von Hand')
    const file = JSON.stringify({ 'Add to cart': 'Aus der Datei', '%s items': { one: '%s Stück', other: '%s Stücke' } })
    expect(await imported('a.json', file, '--language', 'de')).toMatchObject({
      code: 0,
      err: expect.stringContaining('2 saved, 0 unchanged, 1 kept'),
    })
    expect(await imported('a.json', file, '--language', 'de', '--keep')).toMatchObject({
      err: expect.stringContaining('0 saved'),
    })
    expect(await imported('a.json', file, '--language', 'de', '--replace')).toMatchObject({
      err: expect.stringContaining('1 saved'),
    })
    expect((await said())[2]).toBe('Add to cart|de-DE||Aus der Datei|2')
  })

  it.each([
    ['bad.po', 'msgid ""\nmsgstr "Language: de"\n\nmsgid "Add to cart"\nmsgstr "x\n', 'Error: line 5: '],
    ['bad.po', 'msgid ""\nmsgstr "Language: de"\n\nmsgid "Add to cart"\nmsgstr "%s x"\n', 'Error: line 4: '],
    ['bad.xlf', '<xliff version="2.1" trgLang="de">\n<file>', 'Error: line 2: '],
    ['bad.json', '{"language": "de", "units": [\n{"original": "Add to cart", "translated": 1}]}', 'Error: line 2: '],
    ['bad.json', '{"Add to cart": "x"}', 'names no language. Name it with: --language de-DE'],
  ])('refuses %s (%#) by its line, and changes nothing', async (name, text, problem) => {
    const { code, err } = await imported(name, text)
    expect(code).toBeGreaterThan(0)
    expect(err).toContain(problem)
    expect(await said()).toEqual([])
  })

  it('says of a file that there is none', async () => {
    const { code, err } = await translations('import', '/nowhere/nix.po')
    expect([code, err]).toEqual([1, 'Error: /nowhere/nix.po: no such file or folder. Check the path.'])
  })

  it('is completed by the Tab key, languages and all', async () => {
    const fits = async (...words: string[]) =>
      (
        await runCommand(
          completionCommand(() => commands),
          db,
          'words',
          ...words,
        )
      ).out.split('\n')
    expect(await fits('translations', '')).toEqual(['stats', 'list', 'set', 'undo', 'export', 'import'])
    expect(await fits('translations', 'list', '')).toEqual(['ar', 'de-DE'])
    expect(await fits('translations', 'import', 'x.po', '--language', 'd')).toEqual(['de-DE'])
    expect(await fits('translations', 'list', 'ar', '--status', 'm')).toEqual(['missing', 'machine'])
  })
})
