import { noInput } from '#contract/cart/messages.ts'
import { fragmentsAnswer } from '../../cart/fragments.tsx'
import { defineCall } from '../shared/define-call.ts'

/** `get_refreshed_fragments`: the cart as it is now. */
export const getRefreshedFragmentsCall = defineCall({
  name: 'get_refreshed_fragments',
  door: 'wc-ajax',
  method: 'POST',
  // Nothing is changed by it, and the classic shop asks nobody how it is asked.
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
