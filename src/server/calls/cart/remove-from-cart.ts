import { removeFromCartInput } from '#contract/cart/messages.ts'
import { withoutLine } from '#shop/cart/cart-lines.ts'
import { cachedCartProducts, cartProducts } from '#shop/cart/quote-cart.ts'
import type { SessionState } from '#shop/customers/sessions/session-state.ts'
import { changeSessionOptimistically, type VisitSession } from '#shop/customers/sessions/visit-session.ts'
import { fragmentsAnswer, fragmentsAnswerOf, renderFragments } from '../../cart/fragments.tsx'
import type { Visit } from '../../http/visit.ts'
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
  answerFromSessionCache: (visit, { cart_item_key }, session) => removeIf(visit, session, cart_item_key),
  async answer(visit, { cart_item_key }) {
    const { tools } = visit.app
    const session = await visit.session()
    const done = await removeIf(visit, session, cart_item_key)
    if (done) return done
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

/** Removes in one round trip, with cached products. Null: nothing was done. */
async function removeIf(visit: Visit, session: VisitSession, key: string): Promise<Response | null> {
  const { tools } = visit.app
  const recalled = cachedCartProducts(tools, session)
  if (!recalled) return null
  const draw = (next: VisitSession) => renderFragments(visit, next, recalled.products)
  const done = await changeSessionOptimistically(tools, session, recalled, without(key), 'S2', draw)
  if (!done) return null
  visit.adopt(done.session)
  return fragmentsAnswerOf(visit, done.made)
}
