import { isDeepStrictEqual } from 'node:util'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import { quoteCart } from '../cart/quote-cart.ts'
import type { SessionState } from '../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../customers/sessions/visit-session.ts'
import type { Tools } from '../shared/tools.ts'
import { withChosenShipping } from '../shipping/choose-shipping.ts'
import { type CheckoutForm, withForm } from './checkout-form.ts'

/** A cart that was just evaluated, with its session state. */
export type EvaluatedForm = { readonly state: SessionState; readonly cart: EvaluatedCart }

/** Saves the form's input in the session, and evaluates the cart with it. */
export async function saveCheckoutForm(
  tools: Tools,
  session: VisitSession,
  form: CheckoutForm,
  looked?: EvaluatedForm,
): Promise<{ session: VisitSession; cart: EvaluatedCart }> {
  const kept = await changeSession(
    tools,
    session,
    (state) => {
      const next = withForm(state, form)
      // After approval the same form is posted again: an unchanged state needs no write.
      return { state: isDeepStrictEqual(next, state) ? state : next, result: undefined }
    },
    'S10',
  )
  const cart =
    looked && looked.state === kept.session.state
      ? looked.cart
      : await quoteCart(tools, kept.session.id, kept.session.state, looked?.cart.products)
  const chosen = withChosenShipping(kept.session.state, form.shippingMethod, cart.packages)
  if (chosen === kept.session.state) return { session: kept.session, cart }
  const again = await changeSession(tools, kept.session, (state) => ({
    state: withChosenShipping(state, form.shippingMethod, cart.packages),
    result: undefined,
  }))
  return { session: again.session, cart: await quoteCart(tools, again.session.id, again.session.state, cart.products) }
}
