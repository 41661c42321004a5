import { removeFromCartInput } from '#contract/calls/cart.ts'
import { withoutLine } from '#shop/cart-lines.ts'
import { defineCall } from '../call.ts'
import { fragmentsAnswer } from '../fragments.tsx'

/** `remove_from_cart`: the cross in the mini cart. A key that is not in the cart answers without fragments. */
export const removeFromCartCall = defineCall({
  name: 'remove_from_cart',
  door: 'wc-ajax',
  method: 'POST',
  input: removeFromCartInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'natural',
  load: 'cart',
  cache: 'private-no-store',
  forgery: { none: 'wire has no nonce' },
  async answer(visit, { cart_item_key }) {
    const removed = await visit.change((state) => {
      const next = withoutLine(state, cart_item_key)
      return { state: next, result: next !== state }
    })
    return removed ? fragmentsAnswer(visit) : Response.json({ success: false })
  },
})
