import type { OrderAttribution } from '../attribution/attribution-intake.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import type { AgreedTerms } from './agreed-terms.ts'
import type { CheckoutForm } from './checkout-form.ts'
import type { PlaceOrder } from './place-order.ts'

/**
 * Facts of the shopper's request.
 * @property attribution null: the request has none
 * @property terms the version shown with the pressed button; null: the shop asks for no agreement
 */
export type Shopper = {
  customerIp: string
  customerUserAgent: string
  attribution: OrderAttribution | null
  terms: AgreedTerms | null
}

/** Builds the order request of a form and its evaluated cart. */
export function orderRequest(
  session: VisitSession,
  cart: EvaluatedCart,
  form: CheckoutForm,
  shopper: Shopper,
  { intention, createdVia }: Pick<PlaceOrder, 'intention' | 'createdVia'>,
): PlaceOrder {
  const method = cart.methods.find(({ id }) => id === form.paymentMethod)
  return {
    sessionId: session.id,
    customerId: session.customerId,
    intention,
    quote: cart.quote,
    billing: form.billing,
    shipping: form.shipping,
    customerNote: form.customerNote,
    paymentMethod: { id: form.paymentMethod, title: method?.title ?? '' },
    createdVia,
    ...shopper,
  }
}
