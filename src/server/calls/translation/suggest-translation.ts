import { suggestAnswer, suggestTranslationInput } from '#contract/translation/edit-translations.ts'
import { editorNonces } from '#contract/translation/editor.ts'
import { editedLanguages } from '#shop/translation/edit-translations.ts'
import { suggestTranslation } from '#shop/translation/machine/suggest-translation.ts'
import { noTranslator, translatorId } from '../../translation/translator-role.ts'
import { defineCall } from '../shared/define-call.ts'

/** Returns a machine translation as a suggestion. It counts towards the daily limit of characters; nothing is saved. */
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
