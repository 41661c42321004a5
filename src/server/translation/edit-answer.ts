import { type SaveRefusal, saveAnswer } from '#contract/translation/edit-translations.ts'
import { type EditResult, percentDone, progressOf } from '#shop/translation/edit-translations.ts'
import type { Visit } from '../http/visit.ts'

const statuses: Partial<Record<SaveRefusal, number>> = { stale: 409, 'unknown-original': 404 }

/** Answers a call that changes a translation: with the current text, changed or not. */
export async function editAnswer(visit: Visit, language: string, result: EditResult): Promise<Response> {
  if (!result.ok) return Response.json(saveAnswer.parse(result), { status: statuses[result.reason] ?? 422 })
  const progress = (await progressOf(visit.app.tools, [language])).get(language)
  return Response.json(saveAnswer.parse({ ...result, progress: progress ? percentDone(progress) : 0 }))
}
