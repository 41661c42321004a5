import type { EditedText, FormerText, SaveRefusal } from '#contract/translation/edit-translations.ts'
import { languagesOf } from '#contract/translation/languages.ts'
import type { PluralForm } from '#database/engine/schema/translation.ts'
import {
  type LanguageProgress,
  readEdited,
  readProgress,
  searchTexts,
  type TextFilter,
} from '#database/translation/editor-texts.ts'
import { readHistory } from '#database/translation/write-translations.ts'
import type { Tools } from '../shared/tools.ts'
import { restoreTranslation, type SaveResult, saveTranslations } from './save-translation.ts'

/** What a person does with translations: finds them, corrects them, takes a correction back. */

/** @returns the texts of these ids in the order given; those that are gone are left out */
export async function readTexts(tools: Pick<Tools, 'db'>, ids: readonly number[]): Promise<readonly EditedText[]> {
  const { originals, translations } = await readEdited(tools.db.kysely, ids)
  const texts = new Map<number, EditedText>(
    originals.map((one) => [one.id, { ...one, plural: false, said: Object.create(null) }]),
  )
  for (const { id, language, form, ...said } of translations) {
    const text = texts.get(id)
    if (!text) continue
    text.said[language] = { ...text.said[language], [form]: said }
    if (form !== '') text.plural = true
  }
  return ids.flatMap((id) => texts.get(id) ?? [])
}

/** What was said of one text before, of all its forms, the newest first. */
export async function readPreviousTranslations(
  tools: Pick<Tools, 'db'>,
  { id, language }: { id: number; language: string },
): Promise<readonly FormerText[]> {
  const [text] = await readTexts(tools, [id])
  const forms = Object.keys(text?.said[language] ?? {}) as PluralForm[] // its keys are what the schema of the text names
  const former = await Promise.all(
    forms.map(async (form) => {
      const history = await readHistory(tools.db.kysely, { originalId: id, language, form })
      return history.map(({ at, by, ...one }) => ({ ...one, form, at: at.getTime(), by: by?.name ?? '' }))
    }),
  )
  return former
    .flat()
    .sort((one, other) => other.at - one.at || other.revision - one.revision)
    .slice(0, 40)
}

export type TextEdit = {
  readonly id: number
  readonly language: string
  readonly forms: Readonly<Partial<Record<PluralForm, { readonly translated: string; readonly revision: number }>>>
  readonly status: 0 | 1 | 2
  /** Customer id of who writes. */
  readonly by: number
}

export type EditResult =
  | { readonly ok: true; readonly text: EditedText }
  | { readonly ok: false; readonly reason: SaveRefusal; readonly text: EditedText | null }

/** Keeps what a person has written of one text in one language. Of a count all forms are kept, or none. */
export async function editText(tools: Tools, { id, language, forms, status, by }: TextEdit): Promise<EditResult> {
  if (!isSpoken(tools, language)) return refusal(tools, id, 'unknown-language')
  const [before] = await readTexts(tools, [id])
  if (!before) return { ok: false, reason: 'unknown-original', text: null }
  const changes = (Object.entries(forms) as [PluralForm, { translated: string; revision: number }][]).map(
    ([form, { translated, revision }]) => ({ originalId: id, language, form, translated, status, revision, by }),
  )
  // Saved one for one, a refusal of the second form would leave the first one changed.
  const seen = before.said[language] ?? {}
  if (changes.some(({ form, revision }) => revision !== (seen[form]?.revision ?? 0)))
    return { ok: false, reason: 'stale', text: before }
  const results = await saveTranslations(tools, changes)
  return answer(tools, id, results)
}

/** Says again what was said before. */
export async function undoEdit(
  tools: Tools,
  { to, ...place }: { id: number; language: string; form: PluralForm; revision: number; by: number; to?: number },
): Promise<EditResult> {
  const { id, ...rest } = place
  if (!isSpoken(tools, place.language)) return refusal(tools, id, 'unknown-language')
  return answer(tools, id, [await restoreTranslation(tools, { originalId: id, ...rest }, to)])
}

/** Says of what a machine has translated that it is right. @returns how many were still as they were seen */
export async function approveTexts(
  tools: Tools,
  { language, seen, by }: { language: string; seen: ReadonlyMap<number, ReadonlyMap<PluralForm, number>>; by: number },
): Promise<number> {
  const texts = await readTexts(tools, [...seen.keys()])
  const changes = texts.flatMap(({ id, said }) =>
    (Object.entries(said[language] ?? {}) as [PluralForm, EditedText['said'][string][PluralForm]][]).flatMap(
      ([form, one]) =>
        one && (one.status === 1 || one.status === 3)
          ? [
              {
                originalId: id,
                language,
                form,
                translated: one.translated,
                status: 2 as const,
                revision: seen.get(id)?.get(form) ?? one.revision,
                by,
              },
            ]
          : [],
    ),
  )
  if (changes.length === 0 || !isSpoken(tools, language)) return 0
  const results = await saveTranslations(tools, changes)
  return new Set(changes.filter((_, index) => results[index]?.ok).map(({ originalId }) => originalId)).size
}

export const pageOfTexts = 30

/** One page of all texts that a filter leaves. */
export async function listTexts(
  tools: Pick<Tools, 'db'>,
  filter: TextFilter,
  page: number,
): Promise<{ texts: readonly EditedText[]; total: number; pages: number }> {
  const { ids, total } = await searchTexts(tools.db.kysely, filter, {
    limit: pageOfTexts,
    offset: (page - 1) * pageOfTexts,
  })
  return { texts: await readTexts(tools, ids), total, pages: Math.max(1, Math.ceil(total / pageOfTexts)) }
}

export async function progressOf(
  tools: Pick<Tools, 'db'>,
  languages: readonly string[],
): Promise<ReadonlyMap<string, LanguageProgress>> {
  return readProgress(tools.db.kysely, languages)
}

/** In whole percent, and never all of it while something is left. */
export function percentDone({ total, machine, reviewed }: LanguageProgress): number {
  return total === 0 ? 0 : Math.floor((100 * (machine + reviewed)) / total)
}

/** The languages that can be edited: all that are spoken but the one that every text is written in. */
export function editedLanguages({ settings }: Pick<Tools, 'settings'>) {
  return languagesOf(settings).filter(({ slug, tag }) => slug !== '' || new Intl.Locale(tag).language !== 'en')
}

function isSpoken(tools: Tools, language: string): boolean {
  return editedLanguages(tools).some(({ tag }) => tag === language)
}

async function refusal(tools: Tools, id: number, reason: SaveRefusal): Promise<EditResult> {
  const [text] = await readTexts(tools, [id])
  return { ok: false, reason, text: text ?? null }
}

async function answer(tools: Tools, id: number, results: readonly SaveResult[]): Promise<EditResult> {
  const [text] = await readTexts(tools, [id])
  const refused = results.find((one) => !one.ok)
  if (refused && !refused.ok) return { ok: false, reason: refused.reason, text: text ?? null }
  return text ? { ok: true, text } : { ok: false, reason: 'unknown-original', text: null }
}
