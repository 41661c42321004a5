import { noInput } from '#contract/calls/cart.ts'
import { defineCall } from '../call.ts'
import { cartTotalsAnswer } from '../cart-answer.tsx'

/** `get_cart_totals`: the block `div.cart_totals`. */
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
