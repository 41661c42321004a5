import { noInput } from '#contract/cart/messages.ts'
import { fragmentsAnswer } from '../../cart/fragments.tsx'
import { defineCall } from '../shared/define-call.ts'

/** `get_refreshed_fragments`: returns the current cart. */
export const getRefreshedFragmentsCall = defineCall({
  name: 'get_refreshed_fragments',
  door: 'wc-ajax',
  method: 'POST',
  // It changes nothing, and the classic shop accepts any method.
  alsoMethods: ['GET'],
  input: noInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'safe',
  load: 'cart',
  cache: 'private-no-store',
  forgery: { none: 'wire has no nonce' },
  answer: (visit) => fragmentsAnswer(visit),
})
