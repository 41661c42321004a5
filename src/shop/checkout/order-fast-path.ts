import { isProviderMethod } from '#contract/payments/constants.ts'
import { versionsOf } from '#database/cart/cart-products.ts'
import { brokenConstraint } from '#database/engine/connect.ts'
import { traceForJob } from '#database/engine/trace.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import { quoteCart } from '../cart/quote-cart.ts'
import type { SessionState } from '../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../customers/sessions/visit-session.ts'
import { needsSetupToken } from '../payments/vault/needs-setup-token.ts'
import type { Tools } from '../shared/tools.ts'
import { withChosenShipping } from '../shipping/choose-shipping.ts'
import { currentLanguage } from '../translation/localize-facts.ts'
import { type AccountOffer, accountOffer, opensAccount } from './checkout-account.ts'
import { type CheckoutForm, withForm } from './checkout-form.ts'
import { intentionOf } from './checkout-idempotency-key.ts'
import type { BatchRefused, CheckoutRequest, Ended, EvaluatedCheckout } from './checkout-stages.ts'
import { FastPathUnavailable } from './fast-path-unavailable.ts'
import { formFaults } from './form-faults.ts'
import { orderOfIntention } from './order-of-intention.ts'
import { orderRequest } from './order-request.ts'
import { placeOrderInBatch } from './place-order-batch.ts'

/**
 * Evaluates an order that needs no payment now, the frequent case, without a write: the batch that places it saves the
 * form. @returns null, without any change, where the stages go step by step
 */
export async function evaluateForBatch(tools: Tools, request: CheckoutRequest): Promise<EvaluatedCheckout | null> {
  if (request.isAlone || !isPlain(request)) return null
  const { session, form } = request
  const saved = withForm(session.state, form)
  const first = await quoteCart(tools, session.id, saved, request.looked?.cart.products)
  const state = withChosenShipping(saved, form.shippingMethod, first.packages)
  const cart = state === saved ? first : await quoteCart(tools, session.id, state, first.products)
  const account = accountOffer(tools, session)
  if (!(await isReady(tools, form, cart, account))) return null
  if (await orderOfIntention(tools, session, form.intention)) return null
  const figures = { cart, account, due: cart.totals.total.minor, unsaved: state }
  return { ...request, ...figures, kind: 'evaluated', approved: null, frozen: null, savesMethod: false }
}

/**
 * Places an order that needs no payment now: stock, acceptance and cart in one transaction. No moment exists in which
 * it is placed but not accepted, or accepted but still in the cart. Refused without any change where a decision is
 * required.
 */
export async function placeInBatch(
  tools: Tools,
  { session, form, cart, shopper }: Omit<EvaluatedCheckout, 'kind'>,
  state: SessionState,
): Promise<Ended | BatchRefused> {
  const done = (order: OrderRow, after: VisitSession): Ended => {
    return { kind: 'ended', session: after, outcome: { ok: true, kind: 'done', order } }
  }
  const intention = intentionOf(session, cart.quote.hash)
  const wanted = orderRequest(session, cart, form, shopper, { intention, createdVia: 'checkout' })
  try {
    const language = await currentLanguage(tools)
    const visitor = { ...session, state }
    const ready = { wanted, visitor, language, trace: traceForJob(), productVersions: versionsOf(cart.products) }
    const placed = await placeOrderInBatch(tools, ready)
    return done(placed.order, placed.session)
  } catch (error) {
    if (error instanceof FastPathUnavailable)
      return error.order ? done(error.order, session) : { kind: 'batch-refused' }
    if (brokenConstraint(error) === 'products_stock_not_negative') return { kind: 'batch-refused' }
    // The input is saved, whatever the order's result.
    await changeSession(tools, session, (now) => ({ state: withForm(now, form), result: undefined })).catch(() => null)
    throw error
  }
}

/** Reports whether session and form are plain: an existing session, no open approval, an offline payment method. */
function isPlain({ session: { version, became, state }, form, wish }: CheckoutRequest): boolean {
  if (version === 0 || became !== null || state.approvedWallet !== null || state.awaitingOrder !== null) return false
  return !isProviderMethod(form.paymentMethod) && wish.approvedId === null && !wish.unchecked
}

/** Reports whether the form has no faults and opens no account first. */
async function isReady(
  tools: Tools,
  form: CheckoutForm,
  cart: EvaluatedCart,
  account: AccountOffer | null,
): Promise<boolean> {
  const { total } = cart.totals
  if (cart.quote.lines.length === 0 || needsSetupToken(cart) || opensAccount(account, form.account)) return false
  if (form.seenCurrency !== null && form.seenCurrency !== cart.totals.currency) return false
  if (form.seenTotal !== null && form.seenTotal !== total.minor) return false
  return (await formFaults(tools, form, cart, account)).length === 0
}
