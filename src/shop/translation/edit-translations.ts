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
import { isInterfaceSource } from '#domain/translation/interface-english.ts'
import type { Tools } from '../shared/tools.ts'
import { restoreTranslation, type SaveResult, saveTranslations } from './save-translation.ts'

/** Edits of translations by a person: finds and corrects them, and reverts corrections. */

/** @returns the texts of these ids in the given order; missing ones are left out */
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

/** Returns the earlier translations of a text, in all its forms, newest first. */
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
  /** Customer id of the editor. */
  readonly by: number
}

export type EditResult =
  | { readonly ok: true; readonly text: EditedText }
  | { readonly ok: false; readonly reason: SaveRefusal; readonly text: EditedText | null }

/** Saves a person's translation of a text in one language. All plural forms are saved, or none. */
export async function editText(tools: Tools, { id, language, forms, status, by }: TextEdit): Promise<EditResult> {
  if (!isSpoken(tools, language)) return refusal(tools, id, 'unknown-language')
  const [before] = await readTexts(tools, [id])
  if (!before) return { ok: false, reason: 'unknown-original', text: null }
  const changes = (Object.entries(forms) as [PluralForm, { translated: string; revision: number }][]).map(
    ([form, { translated, revision }]) => ({ originalId: id, language, form, translated, status, revision, by }),
  )
  // If saved separately, a refusal of the second form would leave the first one changed.
  const seen = before.said[language] ?? {}
  if (changes.some(({ form, revision }) => revision !== (seen[form]?.revision ?? 0)))
    return { ok: false, reason: 'stale', text: before }
  const results = await saveTranslations(tools, changes)
  return editResult(tools, id, results)
}

/** Restores an earlier translation. */
export async function undoEdit(
  tools: Tools,
  { to, ...place }: { id: number; language: string; form: PluralForm; revision: number; by: number; to?: number },
): Promise<EditResult> {
  const { id, ...rest } = place
  if (!isSpoken(tools, place.language)) return refusal(tools, id, 'unknown-language')
  return editResult(tools, id, [await restoreTranslation(tools, { originalId: id, ...rest }, to)])
}

/** Approves machine translations. @returns the number that had not changed since they were read */
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

/** Returns a page of all texts that match a filter. */
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

/** Returns whole percent, below 100 while anything is missing. */
export function percentDone({ total, machine, reviewed }: LanguageProgress): number {
  return total === 0 ? 0 : Math.floor((100 * (machine + reviewed)) / total)
}

/** Returns the editable languages: all of the shop's except the original language of every text. */
export function editedLanguages({ settings }: Pick<Tools, 'settings'>) {
  return languagesOf(settings).filter(({ slug, tag }) => slug !== '' || !isInterfaceSource(tag))
}

function isSpoken(tools: Tools, language: string): boolean {
  return editedLanguages(tools).some(({ tag }) => tag === language)
}

async function refusal(tools: Tools, id: number, reason: SaveRefusal): Promise<EditResult> {
  const [text] = await readTexts(tools, [id])
  return { ok: false, reason, text: text ?? null }
}

async function editResult(tools: Tools, id: number, results: readonly SaveResult[]): Promise<EditResult> {
  const [text] = await readTexts(tools, [id])
  const refused = results.find((one) => !one.ok)
  if (refused && !refused.ok) return { ok: false, reason: refused.reason, text: text ?? null }
  return text ? { ok: true, text } : { ok: false, reason: 'unknown-original', text: null }
}
