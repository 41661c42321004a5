import { editTextsAnswer, editTextsInput } from '#contract/translation/edit-translations.ts'
import { editorNonces } from '#contract/translation/editor.ts'
import { readPreviousTranslations, readTexts } from '#shop/translation/edit-translations.ts'
import { noTranslator, translatorId } from '../../translation/translator-role.ts'
import { defineCall } from '../shared/define-call.ts'

/** Returns texts by id with their translations in every language; for a single text also earlier ones. */
export const editTextsCall = defineCall({
  name: 'trp_get_edited_texts',
  door: 'admin-ajax',
  method: 'POST',
  input: editTextsInput,
  output: 'json',
  identity: 'translator',
  idempotency: 'safe',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { nonce: editorNonces.calls, field: 'security' },
  async answer(visit, { ids, history }) {
    if ((await translatorId(visit)) === null) return noTranslator()
    const { tools } = visit.app
    const [id] = ids
    const [texts, former] = await Promise.all([
      readTexts(tools, ids),
      history && id !== undefined ? readPreviousTranslations(tools, { id, language: history }) : undefined,
    ])
    return Response.json(editTextsAnswer.parse({ texts, ...(former ? { history: former } : {}) }))
  },
})
