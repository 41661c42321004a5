import { removeFromCartInput } from '#contract/calls/cart.ts'
import { withoutLine } from '#shop/cart-lines.ts'
import { cartProducts, recallCart } from '#shop/quote-cart.ts'
import type { SessionState } from '#shop/session-state.ts'
import { changeSessionIf } from '#shop/visit-session.ts'
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
    const { tools } = visit.app
    const session = await visit.session()
    const change = (now: SessionState) => {
      const next = withoutLine(now, cart_item_key)
      return { state: next, result: next !== now }
    }
    const recalled = recallCart(tools, session)
    const done = recalled && (await changeSessionIf(tools, session, recalled, change, 'S2'))
    if (done) {
      visit.adopt(done.session)
      return fragmentsAnswer(visit, recalled.products)
    }
    // What stays is read while the cart is written.
    const [removed, products] = await Promise.all([
      visit.change(change, 'S2'),
      cartProducts(tools, session.id, session.state),
    ])
    return removed ? fragmentsAnswer(visit, products) : Response.json({ success: false })
  },
})
