import { editorNonces } from '#contract/translation/editor.ts'
import { getTranslationsInput } from '#contract/translation/get-translations.ts'
import { translateAction, translateNonce } from '#contract/translation/translate.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import { sessionOwner } from '#shop/customers/sessions/visit-session.ts'
import { isNonce } from '../../http/security/nonce.ts'
import { translationsAnswer } from '../../translation/dynamic-translations.ts'
import { defineCall } from '../shared/define-call.ts'

/**
 * `trp_get_translations_regular`: the translator script's second endpoint. It is used if the fast one fails, and by the
 * editor, where an unknown text gets an id.
 */
export const getTranslationsCall = defineCall({
  name: translateAction,
  door: 'admin-ajax',
  method: 'POST',
  input: getTranslationsInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'natural',
  load: 'translation',
  cache: 'private-no-store',
  forgery: { checkedByCall: translateNonce },
  async answer(visit, input) {
    const session = await visit.session()
    const staff = session.role !== null && mayActAs(session.role, 'translator')
    // Not by the visit: staff outside of the editor are not refused.
    const editing =
      staff && isNonce(visit.app.secret, input.security, editorNonces.frame, sessionOwner(session), visit.now)
    // A shared page has a nonce without a session.
    const nobodys = () => isNonce(visit.app.secret, input.security, translateNonce, '', visit.now)
    if (!editing && !nobodys() && !(await visit.isNonce(input.security, translateNonce))) {
      return new Response('-1', { status: 403, headers: { 'Content-Type': 'text/html; charset=UTF-8' } })
    }
    return translationsAnswer(visit, input, { door: 'admin-ajax', staff, editing })
  },
})
