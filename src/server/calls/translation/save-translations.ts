import { saveTranslationsInput } from '#contract/translation/edit-translations.ts'
import { editorNonces } from '#contract/translation/editor.ts'
import { editText } from '#shop/translation/edit-translations.ts'
import { editAnswer } from '../../translation/edit-answer.ts'
import { noTranslator, translatorId } from '../../translation/translator-role.ts'
import { defineCall } from '../shared/define-call.ts'

/** Saves a person's translation of a text in one language. */
export const editSaveCall = defineCall({
  name: 'trp_save_translations_regular',
  door: 'admin-ajax',
  method: 'POST',
  input: saveTranslationsInput,
  output: 'json',
  identity: 'translator',
  idempotency: 'natural',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { nonce: editorNonces.calls, field: 'security' },
  async answer(visit, { id, language, forms, status }) {
    const by = await translatorId(visit)
    if (by === null) return noTranslator()
    return editAnswer(visit, language, await editText(visit.app.tools, { id, language, forms, status, by }))
  },
})
