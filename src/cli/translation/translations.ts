import { readFile, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { languagesOf } from '#contract/translation/languages.ts'
import {
  countTranslations,
  findOriginals,
  type ListedTranslation,
  listTranslations,
} from '#database/translation/list-translations.ts'
import { saveOriginalsForIds, type TranslationStatus } from '#database/translation/translations.ts'
import { lockTranslations } from '#database/translation/write-translations.ts'
import { pluralForms } from '#domain/translation/exchange.ts'
import { isInterfaceSource } from '#domain/translation/interface-english.ts'
import {
  exchangeFormats,
  exportTranslations,
  formatOf,
  type ImportCounts,
  importTranslations,
  problems,
  readTranslations,
  shopLanguage,
} from '#shop/translation/exchange-translations.ts'
import { restoreTranslation, saveTranslation } from '#shop/translation/save-translation.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, jsonOption, type Options, textGiven } from '../shared/command-group.ts'
import { fileTrouble } from '../shared/file-error.ts'
import { listOptions, pageGiven, printList, unknownWord, wordOf } from '../shared/listing.ts'
import { counted, fail, rejectUsage, unknownChoice } from '../shared/messages.ts'
import { tableLines } from '../shared/table.ts'

const areas = ['interface', 'content', 'slug'] as const
/** The stored states by their names; a translation filled in from a near-identical original counts as machine translation. */
const statuses: Readonly<Record<string, readonly TranslationStatus[]>> = {
  missing: [0],
  machine: [1, 3],
  reviewed: [2],
}
const statusWord = (status: TranslationStatus) => (status === 0 ? 'missing' : status === 2 ? 'reviewed' : 'machine')
const areaOption = {
  type: 'string',
  value: '<area>',
  completes: areas,
  what: 'interface (texts of the shop), content (your texts) or slug (parts of URLs)',
} as const
const kinds = ['product', 'category', 'tag', 'page', 'base'] as const
const kindOption = {
  type: 'string',
  value: '<kind>',
  completes: kinds,
  what: `the kind of slug: ${kinds.join(', ')}`,
} as const
const formOption = {
  type: 'string',
  value: '<category>',
  completes: pluralForms,
  what: 'the plural form: zero, one, two, few, many or other',
} as const
const filterOptions = {
  status: {
    type: 'string',
    value: '<status>',
    completes: Object.keys(statuses),
    what: Object.keys(statuses).join(', '),
  },
  area: areaOption,
  search: { type: 'string', value: '<text>', what: 'in the original or the translation' },
} as const satisfies Options

export const translationsCommand = commandGroup('translations', {
  stats: {
    usage: '[--json]',
    summary: 'Shows the progress of each language.',
    example: '',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, context) {
      const languages = languagesOf(context.settings).filter(({ slug }) => slug !== '')
      const counts = await Promise.all(
        languages.map(async ({ tag, name, published }) => ({
          language: tag,
          name,
          published,
          areas: await countTranslations(context.db.kysely, tag),
        })),
      )
      if (json) context.print(JSON.stringify(counts))
      else if (counts.length === 0) context.say('The shop has one language. Add others to the setting "languages".')
      else {
        const rows = counts.flatMap(({ language, name, areas }) =>
          areas.map(({ area, all, reviewed, machine, missing }) =>
            [language, name, area, all, reviewed, machine, missing].map(String),
          ),
        )
        const head = ['Language', 'Name', 'Area', 'Texts', 'Reviewed', 'Machine', 'Missing']
        for (const line of tableLines([head, ...rows], [3, 4, 5, 6])) context.print(line)
      }
      return 0
    },
  },

  list: {
    usage: '<language> [--status missing] [--search text] [options]',
    summary: 'Lists texts and their translations.',
    example: 'de-DE --status missing',
    options: { ...filterOptions, ...listOptions },
    words: [1, 1],
    completes: ['language'],
    async run([tag = ''], given, context) {
      const page = pageGiven(given)
      const filter = filterGiven(tag, given, context)
      if (filter === null) return 2
      if (typeof page === 'string') return rejectUsage(context, page)
      const { items, count } = await listTranslations(context.db.kysely, filter, page)
      printList(context, given, page, {
        items,
        count,
        columns: [
          { title: 'Number', cell: ({ id }) => String(id), right: true },
          { title: 'Area', cell: ({ area, context: kind }) => (kind === '' ? area : `${area} ${kind}`) },
          { title: 'Status', cell: ({ status }) => statusWord(status) },
          { title: 'Original', cell: ({ original }) => short(original), csv: ({ original }) => original },
          { title: filter.language, cell: (item) => short(translationText(item)), csv: translationText },
        ],
        json: (item) => ({ ...item, status: statusWord(item.status) }),
        none: 'No text matches. Your texts are added when a page is first viewed in that language.',
      })
      return 0
    },
  },

  set: {
    usage: '<language> <original> <translation> [options]',
    summary: 'Translates a text, named by its original or its number; "" removes the translation.',
    example: 'de-DE "Salt bowl" "Salzschale"',
    options: { form: formOption, area: areaOption, kind: kindOption },
    words: [3, 3],
    completes: ['language', []],
    async run([tag = '', original = '', translated = ''], given, context) {
      const place = await placeGiven(tag, original, given, context, true)
      if (typeof place === 'number') return place
      const result = await saveTranslation(context, { ...place, translated, status: 2, revision: null, by: null })
      if (!result.ok) return fail(context, `"${short(translated)}": ${problems[result.reason]}`)
      if (!result.changed) context.say('No change: the translation is the same.')
      else if (result.translated === '') context.say(`Removed the translation of "${short(original)}" in ${tag}.`)
      else context.say(`Translated "${short(original)}" in ${tag}: ${result.translated}`)
      return 0
    },
  },

  undo: {
    usage: '<language> <original> [options]',
    summary: 'Restores the previous translation of a text, named by its original or its number.',
    example: 'de-DE "Salt bowl"',
    options: { form: formOption, area: areaOption, kind: kindOption },
    words: [2, 2],
    completes: ['language', []],
    async run([tag = '', original = ''], given, context) {
      const place = await placeGiven(tag, original, given, context)
      if (typeof place === 'number') return place
      const [current] = await context.db.kysely.transaction().execute((tx) => lockTranslations(tx, [place]))
      if (!current)
        return fail(context, `"${short(original)}" was never translated. Translate it with: translations set ${tag} …`)
      const result = await restoreTranslation(context, { ...place, revision: current.revision, by: null })
      if (!result.ok) return fail(context, `"${short(original)}": ${problems[result.reason]}`)
      const restored = result.translated === '' ? 'it has no translation' : result.translated
      context.say(`Restored "${short(original)}" in ${tag}: ${restored}`)
      return 0
    },
  },

  export: {
    usage: '<language> [file] [--format po] [--status missing] [options]',
    summary: 'Exports texts for translators, to standard output unless a file is named.',
    example: 'de-DE shop.po --status missing',
    options: {
      format: {
        type: 'string',
        value: '<format>',
        completes: exchangeFormats,
        what: 'po, xliff or json; by the file name, or po',
      },
      ...filterOptions,
    },
    words: [1, 2],
    completes: ['language', []],
    async run([tag = '', file], given, context) {
      const wanted = wordOf(given.format, exchangeFormats)
      if (wanted === null) return rejectUsage(context, unknownWord('format', given.format, exchangeFormats))
      const filter = filterGiven(tag, given, context)
      if (filter === null) return 2
      const format = wanted ?? (file === undefined ? 'po' : formatOf(file, ''))
      const { text, count } = await exportTranslations(context, format, filter)
      if (file === undefined) context.print(text.trimEnd())
      else {
        await writeFile(resolve(file), text)
        context.say(`Exported ${counted(count, 'text')} to ${file}.`)
      }
      return 0
    },
  },

  import: {
    usage: '<file> [--language de-DE] [--dry-run] [--keep|--replace] [--json]',
    summary: 'Imports PO, XLIFF (1.2, 2.0, 2.1) or JSON, or nothing of a file with errors.',
    example: 'shop.po --dry-run',
    options: {
      language: {
        type: 'string',
        value: '<tag>',
        completes: 'language',
        what: 'the language, where the file names none',
      },
      'dry-run': { type: 'boolean', what: 'checks the file and changes nothing' },
      keep: { type: 'boolean', what: 'imports only missing translations' },
      replace: { type: 'boolean', what: 'replaces reviewed translations as well' },
      ...jsonOption,
    },
    words: [1, 1],
    async run([file = ''], given, context) {
      if (given.keep && given.replace) {
        return rejectUsage(context, '--keep and --replace cannot be combined. Use one of them.')
      }
      const text = await readFile(resolve(file), 'utf8').catch((error: unknown) => {
        const trouble = fileTrouble(error)
        if (trouble === null) throw error
        fail(context, trouble)
        return null
      })
      if (text === null) return 1
      const read = readTranslations(formatOf(basename(file), text), text)
      if (!read.ok) {
        fail(context, `line ${read.line}: ${read.problem}`)
        return fail(context, `nothing was imported: 1 error in ${file}. Correct the file and import it again.`)
      }
      const tag = textGiven(given.language) ?? read.language
      if (tag === '') {
        return rejectUsage(context, `${file} names no language. Name it with: --language de-DE`)
      }
      const language = languageGiven(tag, context)
      if (language === null) return 1
      const dryRun = given['dry-run'] === true
      const joining = given.replace ? 'replace' : given.keep ? 'missing' : 'usual'
      const result = await importTranslations(context, read.units, { language, joining, dryRun })
      if (given.json) context.print(JSON.stringify({ ...result, language, dryRun }))
      else if (result.ok)
        context.say(
          dryRun
            ? `Dry run: ${countsText(result.counts)}. Nothing was changed.`
            : `Imported translations: ${countsText(result.counts)}.`,
        )
      else {
        for (const { line, problem } of result.faults) fail(context, `line ${line}: ${problem}`)
        const faults = counted(result.faults.length, 'error')
        fail(context, `nothing was imported: ${faults} in ${file}. Correct the file and import it again.`)
      }
      return result.ok ? 0 : 1
    },
  },
})

function languageGiven(tag: string, context: CommandContext): string | null {
  const { settings } = context
  const language = shopLanguage(settings, tag)
  const others = languagesOf(settings).map((one) => one.tag)
  if (language === null) rejectUsage(context, unknownChoice('language', tag, others))
  else if (language === settings.language && isInterfaceSource(language)) {
    const translatable = others.filter((other) => other !== language).join(', ')
    rejectUsage(context, `${language} is the language of the originals. Choose one of: ${translatable}.`)
    return null
  }
  return language
}

function filterGiven(tag: string, given: Given, context: CommandContext) {
  const language = languageGiven(tag, context)
  const area = wordOf(given.area, areas)
  const status = wordOf(given.status, Object.keys(statuses))
  if (area === null) rejectUsage(context, unknownWord('area', given.area, areas))
  if (status === null) rejectUsage(context, unknownWord('status', given.status, Object.keys(statuses)))
  if (language === null || area === null || status === null) return null
  return {
    language,
    area,
    statuses: status === undefined ? undefined : statuses[status],
    search: textGiven(given.search),
  }
}

/**
 * Finds the named text.
 * @param make adds a text of the merchant that no page has shown yet, if its area is given
 * @returns the exit code where there is no such text
 */
async function placeGiven(tag: string, original: string, given: Given, context: CommandContext, make = false) {
  const { db, clock } = context
  const language = languageGiven(tag, context)
  const area = wordOf(given.area, areas)
  const form = wordOf(given.form, pluralForms)
  const kind = wordOf(given.kind, kinds)
  if (area === null) rejectUsage(context, unknownWord('area', given.area, areas))
  if (form === null) rejectUsage(context, unknownWord('form', given.form, pluralForms))
  if (kind === null) rejectUsage(context, unknownWord('kind', given.kind, kinds))
  if (language === null || area === null || form === null || kind === null) return 2
  const all = await findOriginals(db.kysely, original, area)
  let originalId = all.find(({ context: own }) => kind === undefined || own === kind)?.id ?? null
  if (originalId === null && make && (area === 'content' || (area === 'slug' && kind !== undefined))) {
    const fresh = { area, context: kind ?? '', text: original, markup: area === 'content' && /<[a-z]/i.test(original) }
    const [id = null] = await saveOriginalsForIds(db.kysely, [fresh], clock.now())
    originalId = id
  }
  if (originalId === null && /^\d{1,15}$/.test(original)) originalId = Number(original)
  if (originalId === null) {
    const advice = make
      ? ' For a text that no page has shown yet, add --area content, or --area slug --kind product.'
      : ''
    return fail(
      context,
      `text "${short(original)}" does not exist. Find it with: translations list ${language} --search …${advice}`,
    )
  }
  return { originalId, language, form: form ?? ('' as const) }
}

function translationText({ forms }: ListedTranslation): string {
  return forms.map(({ form, translated }) => (form === '' ? translated : `${form}: ${translated}`)).join(' · ')
}

function short(text: string): string {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length > 60 ? `${flat.slice(0, 59)}…` : flat
}

function countsText({ saved, unchanged, kept, unknown, empty }: ImportCounts): string {
  return `${saved} saved, ${unchanged} unchanged, ${kept} kept, ${unknown} unknown, ${empty} without a translation`
}
