import { removeFromCartInput } from '#contract/cart/messages.ts'
import { withoutLine } from '#shop/cart/cart-lines.ts'
import { cartProducts } from '#shop/cart/quote-cart.ts'
import type { SessionState } from '#shop/customers/sessions/session-state.ts'
import { fragmentsAnswer } from '../../cart/fragments.tsx'
import { defineCall } from '../shared/define-call.ts'

/** `remove_from_cart`: the cross in the mini cart. An unknown key is answered without fragments. */
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
    const { tools } = visit.app
    const session = await visit.session()
    // Reads the remaining products while the cart is written.
    const [removed, products] = await Promise.all([
      visit.change(without(cart_item_key), 'S2'),
      cartProducts(tools, session.id, session.state),
    ])
    return removed ? fragmentsAnswer(visit, products) : Response.json({ success: false })
  },
})

const without = (key: string) => (now: SessionState) => {
  const next = withoutLine(now, key)
  return { state: next, result: next !== now }
}
