import { isProviderMethod } from '#contract/payments/constants.ts'
import { versionsOf } from '#database/cart/cart-products.ts'
import { brokenConstraint } from '#database/engine/connect.ts'
import { traceForJob } from '#database/engine/trace.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import { quoteCart } from '../cart/quote-cart.ts'
import { changeSession, type VisitSession } from '../customers/sessions/visit-session.ts'
import type { StockShortage } from '../orders/reserve-order-stock.ts'
import { needsSetupToken } from '../payments/vault/needs-setup-token.ts'
import type { Tools } from '../shared/tools.ts'
import { withChosenShipping } from '../shipping/choose-shipping.ts'
import { currentLanguage } from '../translation/localize-facts.ts'
import { type AccountOffer, accountOffer, opensAccount } from './checkout-account.ts'
import { type CheckoutForm, withForm } from './checkout-form.ts'
import { intentionOf } from './checkout-idempotency-key.ts'
import type { BatchRefused, CheckoutRequest, Ended, EvaluatedCheckout, UnsavedForm } from './checkout-stages.ts'
import { FastPathUnavailable } from './fast-path-unavailable.ts'
import { formFaults } from './form-faults.ts'
import { orderOfIntention } from './order-of-intention.ts'
import { orderRequest } from './order-request.ts'
import { placeOrderInBatch } from './place-order-batch.ts'

/** Session null: another request of the same press placed this order first. */
type BatchedOrder = { readonly order: OrderRow; readonly session: VisitSession | null }

/** A product was sold to the last piece meanwhile; the form is saved. */
type SoldOut = { readonly shortage: StockShortage; readonly session: VisitSession }

/** The facts of the calculation have changed: the caller must read them again. */
type Outdated = 'outdated'

/**
 * Evaluates an order that needs no payment now, the frequent case, without a write: the batch that places it saves the
 * form. @returns null, without any change, where the stages go step by step
 */
export async function evaluateForBatch(tools: Tools, request: CheckoutRequest): Promise<EvaluatedCheckout | null> {
  if (request.isAlone || !isPlain(request)) return null
  return evaluateUnsaved(tools, request, request.looked?.cart.products)
}

/**
 * Places an order that needs no payment now: stock, acceptance and cart in one transaction. No moment exists in which
 * it is placed but not accepted, or accepted but still in the cart. Refused without any change where a decision is
 * required.
 */
export async function placeInBatch(
  tools: Tools,
  evaluated: Omit<EvaluatedCheckout, 'kind'>,
  unsaved: UnsavedForm,
): Promise<Ended | BatchRefused> {
  const placed = await placeUnsaved(tools, evaluated, unsaved)
  if (placed === 'outdated') return { kind: 'batch-refused', looked: undefined }
  if (!placed) return { kind: 'batch-refused', looked: undefined }
  if ('shortage' in placed) {
    const problem = { ok: false, reason: 'sold-out', shortage: placed.shortage } as const
    return { kind: 'ended', session: placed.session, outcome: { ok: false, reason: 'order', problem } }
  }
  const { order, session } = placed
  return { kind: 'ended', session: session ?? evaluated.session, outcome: { ok: true, kind: 'done', order } }
}

async function evaluateUnsaved(
  tools: Tools,
  request: CheckoutRequest,
  products: EvaluatedCart['products'] | undefined,
): Promise<EvaluatedCheckout | null> {
  const { session, form } = request
  const saved = withForm(session.state, form)
  const first = await quoteCart(tools, session.id, saved, products)
  const state = withChosenShipping(saved, form.shippingMethod, first.packages)
  const cart = state === saved ? first : await quoteCart(tools, session.id, state, first.products)
  const account = accountOffer(tools, session)
  if (!(await isReady(tools, form, cart, account))) return null
  if (await orderOfIntention(tools, session, form.intention)) return null
  const figures = { cart, account, due: cart.totals.total.minor, unsaved: { state } }
  return { ...request, ...figures, kind: 'evaluated', approved: null, frozen: null, savesMethod: false }
}

async function placeUnsaved(
  tools: Tools,
  { session, form, cart, shopper }: Omit<EvaluatedCheckout, 'kind'>,
  { state }: UnsavedForm,
): Promise<BatchedOrder | SoldOut | Outdated | null> {
  const intention = intentionOf(session, cart.quote.hash)
  const wanted = orderRequest(session, cart, form, shopper, { intention, createdVia: 'checkout' })
  try {
    const language = await currentLanguage(tools)
    const seen = { versions: versionsOf(cart.products), entries: cart.entries }
    const visitor = { ...session, state }
    return await placeOrderInBatch(tools, { wanted, visitor, language, trace: traceForJob(), seen })
  } catch (error) {
    if (error instanceof FastPathUnavailable && error.shortage) {
      const kept = await changeSession(tools, session, (now) => ({ state: withForm(now, form), result: undefined }))
      return { shortage: error.shortage, session: kept.session }
    }
    if (error instanceof FastPathUnavailable) {
      return error.why === 'outdated' ? 'outdated' : error.order && { order: error.order, session: null }
    }
    if (brokenConstraint(error) === 'products_stock_not_negative') return null
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
