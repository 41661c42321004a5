import { undoTranslationInput } from '#contract/translation/edit-translations.ts'
import { editorNonces } from '#contract/translation/editor.ts'
import { undoEdit } from '#shop/translation/edit-translations.ts'
import { editAnswer } from '../../translation/edit-answer.ts'
import { noTranslator, translatorId } from '../../translation/translator-role.ts'
import { defineCall } from '../shared/define-call.ts'

/** Restores the previous translation; the replaced one stays in the history. */
export const editUndoCall = defineCall({
  name: 'trp_undo_translation',
  door: 'admin-ajax',
  method: 'POST',
  input: undoTranslationInput,
  output: 'json',
  identity: 'translator',
  idempotency: 'natural',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { nonce: editorNonces.calls, field: 'security' },
  async answer(visit, { id, language, form, revision, to }) {
    const by = await translatorId(visit)
    if (by === null) return noTranslator()
    const result = await undoEdit(visit.app.tools, {
      id,
      language,
      form,
      revision,
      by,
      ...(to === undefined ? {} : { to }),
    })
    return editAnswer(visit, language, result)
  },
})
