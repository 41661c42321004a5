import { noInput } from '#contract/cart/messages.ts'
import { cartTotalsAnswer } from '../../cart/cart-answer.tsx'
import { defineCall } from '../shared/define-call.ts'

/** `get_cart_totals`: returns the element `div.cart_totals`. */
export const getCartTotalsCall = defineCall({
  name: 'get_cart_totals',
  door: 'wc-ajax',
  method: 'GET',
  input: noInput,
  output: 'html',
  identity: 'own-session',
  idempotency: 'safe',
  load: 'cart',
  cache: 'private-no-store',
  forgery: { none: 'safe method' },
  answer: (visit) => cartTotalsAnswer(visit),
})
