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
import { tableLines } from '../shared/table.ts'

const areas = ['interface', 'content', 'slug'] as const
/** In the words of the desk; what was filled in from a near-identical original is a machine's as well. */
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
  what: 'interface (the shop’s own words), content (yours) or slug (parts of addresses)',
} as const
const kinds = ['product', 'category', 'tag', 'page', 'base'] as const
const kindOption = {
  type: 'string',
  value: '<kind>',
  completes: kinds,
  what: `of a slug: ${kinds.join(', ')}`,
} as const
const formOption = {
  type: 'string',
  value: '<category>',
  completes: pluralForms,
  what: 'of a count: zero, one, two, few, many or other',
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
    summary: 'How far each language is.',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, context) {
      const languages = languagesOf(context.settings).filter(({ slug }) => slug !== '')
      const told = await Promise.all(
        languages.map(async ({ tag, name, published }) => ({
          language: tag,
          name,
          published,
          areas: await countTranslations(context.db.kysely, tag),
        })),
      )
      if (json) context.print(JSON.stringify(told))
      else if (told.length === 0) context.say('The shop speaks one language. Add others to the setting "languages".')
      else {
        const rows = told.flatMap(({ language, name, areas: counts }) =>
          counts.map(({ area, all, reviewed, machine, missing }) =>
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
    summary: 'Texts and what a language says for them.',
    options: { ...filterOptions, ...listOptions },
    words: [1, 1],
    completes: ['language'],
    async run([tag = ''], given, context) {
      const page = pageGiven(given)
      const filter = filterGiven(tag, given, context)
      if (typeof page === 'string' || filter === null) {
        if (typeof page === 'string') context.say(page)
        return 2
      }
      const { items, count } = await listTranslations(context.db.kysely, filter, page)
      printList(context, given, page, {
        items,
        count,
        columns: [
          { title: 'Number', cell: ({ id }) => String(id), right: true },
          { title: 'Area', cell: ({ area, context: kind }) => (kind === '' ? area : `${area} ${kind}`) },
          { title: 'Status', cell: ({ status }) => statusWord(status) },
          { title: 'Original', cell: ({ original }) => short(original), csv: ({ original }) => original },
          { title: filter.language, cell: (item) => short(saidIn(item)), csv: saidIn },
        ],
        json: (item) => ({ ...item, status: statusWord(item.status) }),
        none: 'No text is like that. Texts of yours come in when a page in that language is first looked at.',
      })
      return 0
    },
  },

  set: {
    usage: '<language> <original> <translation> [options]',
    summary:
      'Says what a language says for a text; "" takes its translation away. The original by its text or its number.',
    options: { form: formOption, area: areaOption, kind: kindOption },
    words: [3, 3],
    completes: ['language', []],
    async run([tag = '', original = '', translated = ''], given, context) {
      const place = await placeGiven(tag, original, given, context, true)
      if (typeof place === 'number') return place
      const result = await saveTranslation(context, { ...place, translated, status: 2, revision: null, by: null })
      if (!result.ok) context.say(problems[result.reason])
      else if (result.changed)
        context.say(result.translated === '' ? 'It is no longer translated.' : `Kept: ${result.translated}`)
      else context.say('It says so already.')
      return result.ok ? 0 : 1
    },
  },

  undo: {
    usage: '<language> <original> [options]',
    summary: 'Says again what was said before. The original by its text or its number.',
    options: { form: formOption, area: areaOption, kind: kindOption },
    words: [2, 2],
    completes: ['language', []],
    async run([tag = '', original = ''], given, context) {
      const place = await placeGiven(tag, original, given, context)
      if (typeof place === 'number') return place
      const [current] = await context.db.kysely.transaction().execute((tx) => lockTranslations(tx, [place]))
      if (!current) {
        context.say('It was never translated.')
        return 1
      }
      const result = await restoreTranslation(context, { ...place, revision: current.revision, by: null })
      if (!result.ok) context.say(problems[result.reason])
      else
        context.say(result.translated === '' ? 'It is not translated, as before.' : `As before: ${result.translated}`)
      return result.ok ? 0 : 1
    },
  },

  export: {
    usage: '<language> [file] [--format po] [--status missing] [options]',
    summary: 'Writes a file for translators, to standard output without a name.',
    options: {
      format: {
        type: 'string',
        value: '<format>',
        completes: exchangeFormats,
        what: 'po, xliff or json; else by the name, or po',
      },
      ...filterOptions,
    },
    words: [1, 2],
    completes: ['language', []],
    async run([tag = '', file], given, context) {
      const wanted = wordOf(given.format, exchangeFormats)
      if (wanted === null) {
        context.say(unknownWord('format', given.format, exchangeFormats))
        return 2
      }
      const filter = filterGiven(tag, given, context)
      if (filter === null) return 2
      const format = wanted ?? (file === undefined ? 'po' : formatOf(file, ''))
      const { text, count } = await exportTranslations(context, format, filter)
      if (file === undefined) context.print(text.trimEnd())
      else {
        await writeFile(resolve(file), text)
        context.say(`${count} texts are in ${file}.`)
      }
      return 0
    },
  },

  import: {
    usage: '<file> [--language de-DE] [--dry-run] [--keep|--replace] [--json]',
    summary: 'Reads PO, XLIFF (1.2, 2.0, 2.1) or JSON: all of it, or nothing when anything in it is wrong.',
    options: {
      language: { type: 'string', value: '<tag>', completes: 'language', what: 'where the file does not say it' },
      'dry-run': { type: 'boolean', what: 'checks, and says what it would do' },
      keep: { type: 'boolean', what: 'only what is not translated yet' },
      replace: { type: 'boolean', what: 'also over what people of this shop have said; without it theirs stays' },
      ...jsonOption,
    },
    words: [1, 1],
    async run([file = ''], given, context) {
      if (given.keep && given.replace) {
        context.say('--keep and --replace exclude each other.')
        return 2
      }
      const text = await readFile(resolve(file), 'utf8').catch((error: unknown) => {
        const trouble = fileTrouble(error)
        if (trouble === null) throw error
        context.say(trouble)
        return null
      })
      if (text === null) return 1
      const read = readTranslations(formatOf(basename(file), text), text)
      if (!read.ok) {
        context.say(`Line ${read.line}: ${read.problem}`)
        context.say('Nothing was imported.')
        return 1
      }
      const tag = textGiven(given.language) ?? read.language
      if (tag === '') {
        context.say('The file does not say its language: --language de-DE')
        return 2
      }
      const language = languageGiven(tag, context)
      if (language === null) return 1
      const dryRun = given['dry-run'] === true
      const joining = given.replace ? 'replace' : given.keep ? 'missing' : 'usual'
      const result = await importTranslations(context, read.units, { language, joining, dryRun })
      if (given.json) context.print(JSON.stringify({ ...result, language, dryRun }))
      else if (result.ok) context.say(`${dryRun ? 'Nothing written. It would be: ' : ''}${counted(result.counts)}`)
      else {
        for (const { line, problem } of result.faults) context.say(`Line ${line}: ${problem}`)
        context.say(
          `${result.faults.length === 1 ? '1 fault' : `${result.faults.length} faults`}; nothing was imported.`,
        )
      }
      return result.ok ? 0 : 1
    },
  },
})

function languageGiven(tag: string, { settings, say }: CommandContext): string | null {
  const language = shopLanguage(settings, tag)
  const others = languagesOf(settings).map((one) => one.tag)
  if (language === null) say(`The shop does not speak "${tag}". It speaks ${others.join(', ')}.`)
  else if (language === settings.language && new Intl.Locale(language).language === 'en') {
    say(`${language} is the language in which everything is written.`)
    return null
  }
  return language
}

function filterGiven(tag: string, given: Given, context: CommandContext) {
  const language = languageGiven(tag, context)
  const area = wordOf(given.area, areas)
  const status = wordOf(given.status, Object.keys(statuses))
  if (area === null) context.say(unknownWord('area', given.area, areas))
  if (status === null) context.say(unknownWord('status', given.status, Object.keys(statuses)))
  if (language === null || area === null || status === null) return null
  return {
    language,
    area,
    statuses: status === undefined ? undefined : statuses[status],
    search: textGiven(given.search),
  }
}

/**
 * Which text is meant.
 * @param make with an area, a text of the merchant's that no page has shown yet is taken in
 * @returns the exit code where that is not clear
 */
async function placeGiven(tag: string, original: string, given: Given, context: CommandContext, make = false) {
  const { db, clock, say } = context
  const language = languageGiven(tag, context)
  const area = wordOf(given.area, areas)
  const form = wordOf(given.form, pluralForms)
  const kind = wordOf(given.kind, kinds)
  if (area === null) say(unknownWord('area', given.area, areas))
  if (form === null) say(unknownWord('form', given.form, pluralForms))
  if (kind === null) say(unknownWord('kind', given.kind, kinds))
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
    say(`No text is "${short(original)}". translations list ${language} --search … finds it.`)
    if (make) say('One of yours that no page has shown yet: with --area content, or --area slug --kind product.')
    return 1
  }
  return { originalId, language, form: form ?? ('' as const) }
}

function saidIn({ forms }: ListedTranslation): string {
  return forms.map(({ form, translated }) => (form === '' ? translated : `${form}: ${translated}`)).join(' · ')
}

function short(text: string): string {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length > 60 ? `${flat.slice(0, 59)}…` : flat
}

function counted({ saved, unchanged, kept, unknown, empty }: ImportCounts): string {
  return `${saved} saved, ${unchanged} as they were, ${kept} kept, ${unknown} unknown, ${empty} without a translation.`
}
