import { getTranslationsInput } from '#contract/translation/get-translations.ts'
import { translationsAnswer } from '../../translation/dynamic-translations.ts'
import { defineCall } from '../shared/define-call.ts'

/** `POST /api/translate`: the fast door of the translator, for everybody. It reads no session and no nonce. */
export const translateCall = defineCall({
  name: 'translate',
  namespace: 'api',
  door: 'rest',
  method: 'POST',
  input: getTranslationsInput,
  output: 'json',
  identity: 'anyone',
  idempotency: 'safe',
  load: 'translation',
  // The same for everybody who asks for the same; the answer itself says for how long.
  cache: 'public',
  forgery: { none: 'wire has no nonce' },
  answer: (visit, input) => translationsAnswer(visit, input, { door: 'rest', staff: false, editing: false }),
})
