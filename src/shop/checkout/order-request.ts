import type { OrderAttribution } from '../attribution/attribution-intake.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import { needsSetupToken } from '../payments/vault/needs-setup-token.ts'
import type { Tools } from '../shared/tools.ts'
import type { AgreedTerms } from './agreed-terms.ts'
import type { AccountOffer } from './checkout-account.ts'
import { type CheckoutForm, checkoutFaults, type FormFault } from './checkout-form.ts'
import type { PlaceOrder } from './place-order.ts'

/**
 * @property attribution null: the request says nothing about it
 * @property terms the version that was shown with the button that was pressed; null: the shop asks for no agreement
 */
export type Shopper = {
  customerIp: string
  customerUserAgent: string
  attribution: OrderAttribution | null
  terms: AgreedTerms | null
}

/** What a form asks to be ordered, of a cart that was worked out with it. */
export function wantedOrder(
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

/** What is wrong with a form for this cart. @param account what the checkout offers to whoever is not logged in */
export function formFaults(
  tools: Tools,
  form: CheckoutForm,
  cart: EvaluatedCart,
  account: AccountOffer | null,
): Promise<readonly FormFault[]> {
  return checkoutFaults(tools, form, {
    needsShipping: cart.needsShipping,
    account,
    shippingChosen: cart.packages.length > 0 && cart.packages.every(({ chosen }) => chosen !== null),
    needsPayment: cart.totals.total.minor > 0 || needsSetupToken(cart),
    methods: cart.methods,
  })
}
