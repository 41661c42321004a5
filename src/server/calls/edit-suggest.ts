import { suggestAnswer, suggestTranslationInput } from '#contract/edit-translations.ts'
import { editorNonces } from '#contract/editor.ts'
import { editedLanguages } from '#shop/edit-translations.ts'
import { suggestTranslation } from '#shop/machine-suggest.ts'
import { defineCall } from '../call.ts'
import { noTranslator, translatorId } from '../translator-role.ts'

/** What the machine would say, for a translator to start from. It counts towards the day's characters; nothing is kept. */
export const editSuggestCall = defineCall({
  name: 'trp_machine_suggestion',
  door: 'admin-ajax',
  method: 'POST',
  input: suggestTranslationInput,
  output: 'json',
  identity: 'translator',
  idempotency: 'each-counts',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { nonce: editorNonces.calls, field: 'security' },
  async answer(visit, { id, language }) {
    const { tools } = visit.app
    if ((await translatorId(visit)) === null) return noTranslator()
    if (!editedLanguages(tools).some(({ tag }) => tag === language))
      return Response.json(suggestAnswer.parse({ ok: false, reason: 'unknown-original' }), { status: 422 })
    return Response.json(suggestAnswer.parse(await suggestTranslation(tools, { originalId: id, language })))
  },
})
