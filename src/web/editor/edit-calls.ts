import type { z } from 'zod'
import {
  type EditedText,
  editTextsAnswer,
  type FormerText,
  type SaveAnswer,
  saveAnswer,
  suggestAnswer,
} from '#contract/translation/edit-translations.ts'
import type { EditorFacts } from '#contract/translation/editor.ts'

/** The outcome of a call: its response, or the reason for the failure. */
export type Outcome<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly why: 'logged-out' | 'failed' }

type Access = Pick<EditorFacts, 'ajaxUrl' | 'nonce'>

async function call<Schema extends z.ZodType>(
  { ajaxUrl, nonce }: Access,
  action: string,
  fields: Readonly<Record<string, string>>,
  schema: Schema,
): Promise<Outcome<z.output<Schema>>> {
  try {
    const response = await fetch(ajaxUrl, {
      method: 'POST',
      body: new URLSearchParams({ action, security: nonce, ...fields }),
      signal: AbortSignal.timeout(30_000),
    })
    if (response.status === 403) return { ok: false, why: 'logged-out' }
    const read = schema.safeParse(await response.json())
    return read.success ? { ok: true, answer: read.data } : { ok: false, why: 'failed' }
  } catch {
    return { ok: false, why: 'failed' }
  }
}

/** The response to a larger call would be slow. */
const mostIds = 500

export async function fetchTexts(access: Access, ids: readonly number[]): Promise<Outcome<readonly EditedText[]>> {
  const texts: EditedText[] = []
  for (let from = 0; from < ids.length; from += mostIds) {
    const part = JSON.stringify(ids.slice(from, from + mostIds))
    const outcome = await call(access, 'trp_get_edited_texts', { ids: part }, editTextsAnswer)
    if (!outcome.ok) return outcome
    texts.push(...outcome.answer.texts)
  }
  return { ok: true, answer: texts }
}

export async function fetchHistory(
  access: Access,
  id: number,
  language: string,
): Promise<Outcome<readonly FormerText[]>> {
  const fields = { ids: JSON.stringify([id]), history: language }
  const outcome = await call(access, 'trp_get_edited_texts', fields, editTextsAnswer)
  return outcome.ok ? { ok: true, answer: outcome.answer.history ?? [] } : outcome
}

export type Forms = Readonly<Record<string, { readonly translated: string; readonly revision: number }>>

export function saveText(
  access: Access,
  { id, language, forms, status }: { id: number; language: string; forms: Forms; status: 0 | 1 | 2 },
): Promise<Outcome<SaveAnswer>> {
  const fields = { id: String(id), language, forms: JSON.stringify(forms), status: String(status) }
  return call(access, 'trp_save_translations_regular', fields, saveAnswer)
}

export function undoText(
  access: Access,
  { id, language, form, revision, to }: { id: number; language: string; form: string; revision: number; to?: number },
): Promise<Outcome<SaveAnswer>> {
  const fields = {
    id: String(id),
    language,
    form,
    revision: String(revision),
    ...(to === undefined ? {} : { to: String(to) }),
  }
  return call(access, 'trp_undo_translation', fields, saveAnswer)
}

export function suggestText(
  access: Access,
  id: number,
  language: string,
): Promise<Outcome<z.output<typeof suggestAnswer>>> {
  return call(access, 'trp_machine_suggestion', { id: String(id), language }, suggestAnswer)
}
