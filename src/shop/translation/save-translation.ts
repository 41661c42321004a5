import type { Kysely } from 'kysely'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { PluralForm } from '#database/engine/schema/translation.ts'
import {
  type OriginalRow,
  readOriginals,
  type TranslationStatus,
  translationsChanged,
} from '#database/translation/translations.ts'
import {
  lockTranslations,
  readHistory,
  type TranslationPlace,
  type TranslationRow,
  type TranslationWrite,
  writeTranslations,
} from '#database/translation/write-translations.ts'
import { cleanTranslation, longestTranslation, samePlaces } from '#domain/translation/clean-translation.ts'
import type { Tools } from '../shared/tools.ts'
import { openSlugCheck, type SlugCheck } from './slug-check.ts'

type SavingTools = Pick<Tools, 'db' | 'clock' | 'chance' | 'pageSlugs'>

/** A translation to save. */
export type TranslationChange = {
  readonly originalId: number
  /** The shop's tag: de-DE. */
  readonly language: string
  /** A plural category; missing for a text without plural. */
  readonly form?: PluralForm
  /** '': deletes the translation. */
  readonly translated: string
  readonly status: TranslationStatus
  /** The revision that was read, 0 for none: another one now is a version conflict. Null: no check. */
  readonly revision: number | null
  /** The engine that created it; missing or '': a person. */
  readonly engine?: string
  /** The customer id of the author; null: none. */
  readonly by: number | null
}

/** The current translation. */
export type SavedTranslation = Pick<TranslationRow, 'translated' | 'status' | 'engine' | 'revision'>

export type SaveResult =
  | ({ readonly ok: true; readonly changed: boolean } & SavedTranslation)
  | {
      readonly ok: false
      /**
       * `stale`: version conflict; `reviewed`: a machine may not overwrite a person; `places`: the placeholders (`%s`)
       * differ from the original; `taken`: the slug leads elsewhere; `reserved`: a path of the shop itself; `slug`: no
       * valid path part
       */
      readonly reason: 'unknown-original' | 'stale' | 'reviewed' | 'too-long' | 'places' | 'slug' | 'taken' | 'reserved'
      /** The stored translation, if there is one. */
      readonly current?: SavedTranslation
    }

/** Saves one translation and notifies every process, so that the next page shows it. */
export async function saveTranslation(tools: SavingTools, change: TranslationChange): Promise<SaveResult> {
  const [result] = await saveTranslations(tools, [change])
  if (!result) throw new Error('saveTranslations returned no result')
  return result
}

/** Saves several translations independently: a refused one does not affect the others. */
export function saveTranslations(
  tools: SavingTools,
  changes: readonly TranslationChange[],
): Promise<readonly SaveResult[]> {
  return transaction(tools, (tx) => saveTranslationsIn(tx, changes, tools))
}

/** Does the same within a larger transaction. */
export async function saveTranslationsIn(
  tx: Kysely<Schema>,
  changes: readonly TranslationChange[],
  { clock, pageSlugs }: Pick<SavingTools, 'clock' | 'pageSlugs'>,
): Promise<readonly SaveResult[]> {
  const places = changes.map(placeOf)
  const ids = places.map(({ originalId }) => originalId)
  const originals = new Map((await readOriginals(tx, ids)).map((row) => [row.id, row]))
  const hasSlugs = [...originals.values()].some(({ area }) => area === 'slug')
  const slugs = hasSlugs ? await openSlugCheck(tx, pageSlugs()) : null
  const kept = new Map((await lockTranslations(tx, places)).map((row) => [keyOf(row), row]))
  const results: SaveResult[] = []
  const writes = new Map<string, TranslationWrite & { at: number }>()
  for (const [at, change] of changes.entries()) {
    const place = placeOf(change)
    const original = originals.get(change.originalId)
    const current = kept.get(keyOf(place))
    const result = !original
      ? refusal('unknown-original')
      : writes.has(keyOf(place))
        ? refusal('stale', current)
        : await unlessTaken(slugs, original, place, decide(original, current, change), current)
    results[at] = result
    if (result.ok && result.changed) writes.set(keyOf(place), { ...place, ...result, by: change.by, at })
  }
  const written = new Set((await writeTranslations(tx, [...writes.values()], clock.now())).map(keyOf))
  // Two concurrent writes of the first revision: the second is a conflict, and reads the first.
  const late = [...writes.values()].filter((write) => !written.has(keyOf(write)))
  if (late.length > 0) {
    const first = new Map((await lockTranslations(tx, late)).map((row) => [keyOf(row), row]))
    for (const write of late) results[write.at] = refusal('stale', first.get(keyOf(write)))
  }
  if (written.size > 0) {
    const languages = changes.map(({ language }) => language)
    await translationsChanged(
      tx,
      languages,
      [...originals.values()].map(({ area }) => area),
    )
  }
  return results
}

async function unlessTaken(
  slugs: SlugCheck | null,
  { area, context, original }: OriginalRow,
  { language }: TranslationPlace,
  result: SaveResult,
  current: TranslationRow | undefined,
): Promise<SaveResult> {
  if (area !== 'slug' || !slugs || !result.ok || !result.changed) return result
  const change = { language, kind: context, own: original, translated: result.translated }
  const problem = result.translated === '' ? null : await slugs.problem(change)
  if (problem) return refusal(problem, current)
  slugs.add(change)
  return result
}

/**
 * Restores an earlier translation as a new revision.
 * @param to the revision to restore; default: the one before the current
 */
export async function restoreTranslation(
  tools: SavingTools,
  { originalId, language, form = '', revision, by }: Omit<TranslationChange, 'translated' | 'status' | 'engine'>,
  to?: number,
): Promise<SaveResult> {
  const history = await readHistory(tools.db.kysely, { originalId, language, form })
  const [current] = history
  const former = to === undefined ? history[1] : history.find((one) => one.revision === to)
  // Before the first there was no translation.
  const { translated, status, engine } = former ?? { translated: '', status: 0 as const, engine: '' }
  if (!current || (revision !== null && current.revision !== revision)) return refusal('stale', current)
  const change = { originalId, language, form, translated, status, engine, by }
  return saveTranslation(tools, { ...change, revision: current.revision })
}

function decide(original: OriginalRow, current: TranslationRow | undefined, change: TranslationChange): SaveResult {
  if (change.revision !== null && change.revision !== (current?.revision ?? 0)) return refusal('stale', current)
  if (change.translated.length > longestTranslation) return refusal('too-long', current)
  const cleaned = cleanTranslation({ text: original.original, markup: original.markup }, change.translated)
  const translated = change.status === 0 || cleaned.trim() === '' ? '' : normalizedText(original, cleaned)
  if (translated === null) return refusal('slug', current)
  if (translated.length > longestTranslation) return refusal('too-long', current)
  const status = translated === '' ? 0 : change.status
  const byMachine = change.status === 1 || change.status === 3
  if (byMachine && current?.status === 2) return refusal('reviewed', current)
  // "one file" does not need the placeholder of its number.
  if (
    original.area === 'interface' &&
    translated !== '' &&
    (change.form ?? '') === '' &&
    !samePlaces(original.original, translated)
  )
    return refusal('places', current)
  const engine = status === 0 ? '' : (change.engine ?? '')
  const next = { translated, status, engine, revision: (current?.revision ?? 0) + 1 }
  if (!current) return { ok: true, changed: status !== 0, ...next, revision: status === 0 ? 0 : 1 }
  const same = current.translated === translated && current.status === status && current.engine === engine
  return same ? { ok: true, changed: false, ...savedFields(current) } : { ok: true, changed: true, ...next }
}

/** @returns null for an invalid path part */
function normalizedText({ area }: OriginalRow, translated: string): string | null {
  if (area === 'interface') return translated
  if (area === 'content') return translated.trim()
  const slug = translated.trim().normalize('NFC').toLowerCase().replace(/\s+/g, '-')
  return /^[\p{L}\p{M}\p{N}]+(?:[-_.~][\p{L}\p{M}\p{N}]+)*$/u.test(slug) && slug.length <= 200 ? slug : null
}

function refusal(
  reason: (SaveResult & { ok: false })['reason'],
  current?: SavedTranslation,
): SaveResult & { ok: false } {
  return { ok: false, reason, ...(current && { current: savedFields(current) }) }
}

function savedFields({ translated, status, engine, revision }: SavedTranslation): SavedTranslation {
  return { translated, status, engine, revision }
}

function placeOf({ originalId, language, form = '' }: TranslationChange): TranslationPlace {
  return { originalId, language, form }
}

const keyOf = ({ originalId, language, form }: TranslationPlace) => `${originalId} ${form} ${language}`
