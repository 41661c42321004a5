import { languagesOf } from '#contract/translation/languages.ts'
import { transaction } from '#database/engine/connect.ts'
import { listTranslations, type TranslationFilter } from '#database/translation/list-translations.ts'
import { type Original, saveOriginalsForIds } from '#database/translation/translations.ts'
import type { ExchangeFile, ExchangeUnit, ReadExchange } from '#domain/translation/exchange.ts'
import { isTranslated } from '#domain/translation/exchange.ts'
import { readJson, writeJson } from '#domain/translation/exchange-json.ts'
import { readPo, writePo } from '#domain/translation/exchange-po.ts'
import { readXliff, writeXliff } from '#domain/translation/exchange-xliff.ts'
import type { Tools } from '../shared/tools.ts'
import { type SaveResult, saveTranslationsIn, type TranslationChange } from './save-translation.ts'

export const exchangeFormats = ['po', 'xliff', 'json'] as const
export type ExchangeFormat = (typeof exchangeFormats)[number]

const writers = { po: writePo, xliff: writeXliff, json: writeJson }
const readers = { po: readPo, xliff: readXliff, json: readJson }

/** Returns the shop's language for a tag: the same tag, or the only one of the same language. Null without a match. */
export function shopLanguage(settings: Tools['settings'], tag: string): string | null {
  const tags = languagesOf(settings).map((one) => one.tag)
  const wanted = tag.replaceAll('_', '-').toLowerCase()
  const same = tags.find((one) => one.toLowerCase() === wanted)
  if (same) return same
  const alike = tags.filter((one) => one.toLowerCase().split('-')[0] === wanted.split('-')[0])
  return alike.length === 1 ? (alike[0] ?? null) : null
}

/** Returns all translations of a language, or a part of them, as a file for translators. */
export async function exportTranslations(
  { db, settings }: Pick<Tools, 'db' | 'settings'>,
  format: ExchangeFormat,
  filter: TranslationFilter,
): Promise<{ text: string; count: number }> {
  const { items } = await listTranslations(db.kysely, filter)
  const units = items.map(({ area, context, markup, original, plural, status, forms }): ExchangeUnit => {
    const said = Object.fromEntries(
      forms.filter(({ form }) => form !== '').map(({ form, translated }) => [form, translated]),
    )
    const translated = plural ? said : (forms.find(({ form }) => form === '')?.translated ?? '')
    return { area, context, markup, original, translated, status: isTranslated(translated) ? status : 0 }
  })
  const file: ExchangeFile = { language: filter.language, source: settings.language, units }
  return { text: writers[format](file), count: units.length }
}

/** Detects the format by the file name, else by the start of the text. */
export function formatOf(name: string, text: string): ExchangeFormat {
  if (/\.(?:po|pot)$/i.test(name)) return 'po'
  if (/\.(?:xliff|xlf|xml)$/i.test(name)) return 'xliff'
  if (/\.json$/i.test(name)) return 'json'
  const [first] = text.replace(/^\uFEFF/, '').trimStart()
  return first === '<' ? 'xliff' : first === '{' ? 'json' : 'po'
}

export function readTranslations(format: ExchangeFormat, text: string): ReadExchange {
  return readers[format](text)
}

export type ImportCounts = {
  readonly saved: number
  readonly unchanged: number
  /** Translations that a person of this shop wrote and that the import left unchanged. */
  readonly kept: number
  /** Originals that the shop does not have. */
  readonly unknown: number
  /** Without a translation in the file. */
  readonly empty: number
}

export type ImportFault = { readonly line: number; readonly problem: string }

export type ImportResult =
  | { readonly ok: true; readonly counts: ImportCounts }
  | { readonly ok: false; readonly faults: readonly ImportFault[] }

/** `missing`: only untranslated texts; `usual`: never over a person's translation; `replace`: all. */
export type Joining = 'missing' | 'usual' | 'replace'

type Unit = (ReadExchange & { ok: true })['units'][number]
type Step = { readonly change: TranslationChange; readonly line: number }

const atOnce = 500

/** Imports a file: all of it, or nothing if it contains an error or with `dryRun`. */
export async function importTranslations(
  tools: Pick<Tools, 'db' | 'clock' | 'chance' | 'pageSlugs'>,
  units: readonly Unit[],
  { language, joining, dryRun }: { language: string; joining: Joining; dryRun: boolean },
): Promise<ImportResult> {
  const faults: ImportFault[] = []
  const counts = { saved: 0, unchanged: 0, kept: 0, unknown: 0, empty: 0 }
  try {
    await transaction(tools, async (tx) => {
      faults.length = 0
      Object.assign(counts, { saved: 0, unchanged: 0, kept: 0, unknown: 0, empty: 0 })
      const now = tools.clock.now()
      const told = units.filter(({ translated }) => isTranslated(translated))
      counts.empty = units.length - told.length
      const { items } = await listTranslations(tx, { language })
      const known = new Map(items.map((item) => [nameOf(item), item]))
      // The merchant's texts may be imported before a page has shown them; interface texts come from the shop.
      const fresh = told.filter((unit) => (unit.area === 'content' || unit.area === 'slug') && !known.has(nameOf(unit)))
      const ids = await saveOriginalsForIds(tx, fresh.map(originalOf), now)
      const freshIds = new Map(fresh.map((unit, index) => [nameOf(unit), ids[index] ?? null]))
      const steps: Step[] = []
      for (const unit of told) {
        const item =
          unit.area === null
            ? anyArea(unit)
                .map((name) => known.get(name))
                .find(Boolean)
            : known.get(nameOf(unit))
        const originalId = item?.id ?? freshIds.get(nameOf(unit)) ?? null
        if (originalId === null) {
          counts.unknown += 1
          continue
        }
        for (const [form, translated] of textsOf(unit)) {
          const current = item?.forms.find((one) => one.form === form)
          const byPerson = current?.status === 2 && current.engine === ''
          const stays =
            joining === 'missing'
              ? (current?.status ?? 0) !== 0
              : joining === 'usual' && byPerson && current.translated !== translated
          if (stays) counts.kept += 1
          else if (current && current.translated === translated && current.status >= unit.status) counts.unchanged += 1
          else {
            const change = {
              originalId,
              language,
              form,
              translated,
              status: unit.status,
              revision: null,
              engine: 'import',
              by: null,
            }
            steps.push({ change, line: unit.line })
          }
        }
      }
      for (let at = 0; at < steps.length; at += atOnce) {
        const part = steps.slice(at, at + atOnce)
        const results = await saveTranslationsIn(
          tx,
          part.map(({ change }) => change),
          tools,
        )
        for (const [index, result] of results.entries()) {
          if (result.ok) counts[result.changed ? 'saved' : 'unchanged'] += 1
          else if (result.reason === 'reviewed') counts.kept += 1
          else faults.push({ line: part[index]?.line ?? 0, problem: problems[result.reason] })
        }
      }
      if (faults.length > 0 || dryRun) throw new NothingWritten()
    })
  } catch (error) {
    if (!(error instanceof NothingWritten)) throw error
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, counts }
}

/** Rolls back a transaction that must not write. */
class NothingWritten extends Error {}

/** The message for each refusal of a translation. */
export const problems: Readonly<Record<(SaveResult & { ok: false })['reason'], string>> = {
  'unknown-original': 'The original is not known.',
  stale: 'It stands in the file twice.',
  reviewed: 'A person has translated it.',
  'too-long': 'The translation is longer than 40,000 characters.',
  places: 'The translation must fill in what the original fills in (%s), each as often.',
  slug: 'A part of an address holds letters, digits and hyphens alone.',
  taken: 'This part of an address leads elsewhere already.',
  reserved: 'This part of an address is reserved: a page of the shop, a program, a file or a language has it.',
}

const nameOf = ({ area, context, markup, original }: Pick<Unit, 'area' | 'context' | 'markup' | 'original'>) =>
  JSON.stringify([area, context, markup, original])

function anyArea(unit: Unit): string[] {
  const areas = ['interface', 'content'] as const
  return areas.flatMap((area) => [false, true].map((markup) => nameOf({ ...unit, area, markup })))
}

function originalOf({ area, context, markup, original }: Unit): Original {
  return { area: area ?? 'content', context, markup, text: original }
}

function textsOf({ translated }: Unit): readonly (readonly [TranslationChange['form'] & string, string])[] {
  if (typeof translated === 'string') return [['', translated]]
  const forms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
  return forms.flatMap((form) => (translated[form] ? [[form, translated[form]] as const] : []))
}
