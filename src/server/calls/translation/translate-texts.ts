import {
  getTranslationsAnswer,
  getTranslationsFailure,
  getTranslationsInput,
} from '#contract/translation/get-translations.ts'
import { translationsAnswer } from '../../translation/dynamic-translations.ts'
import { defineCall } from '../shared/define-call.ts'

/** `POST /api/translate`: the translator script's fast endpoint, for all visitors. It reads no session and no nonce. */
export const translateCall = defineCall({
  name: 'translate',
  namespace: 'api',
  door: 'rest',
  method: 'POST',
  input: getTranslationsInput,
  description: {
    summary: 'Translate texts from the memory',
    tag: 'translations',
    body: getTranslationsInput,
    response: getTranslationsAnswer,
    failure: getTranslationsFailure,
  },
  output: 'json',
  identity: 'anyone',
  idempotency: 'safe',
  load: 'translation',
  // The same request has the same answer for all visitors; the answer sets its own lifetime.
  cache: 'public',
  forgery: { none: 'wire has no nonce' },
  answer: (visit, input) => translationsAnswer(visit, input, { door: 'rest', staff: false, editing: false }),
})
