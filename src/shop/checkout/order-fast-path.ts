import { isProviderMethod } from '#contract/payments/constants.ts'
import { type CartProduct, versionsOf } from '#database/cart/cart-products.ts'
import { brokenConstraint } from '#database/engine/connect.ts'
import { traceForJob } from '#database/engine/trace.ts'
import { findOrder, type OrderRow } from '#database/orders/orders.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import { withRefreshedSnapshots } from '../cart/line-changes.ts'
import { cachedCartProducts, quoteCart } from '../cart/quote-cart.ts'
import { changeSession, type VisitSession } from '../customers/sessions/visit-session.ts'
import type { ProviderPaymentInput } from '../payments/operation/pay-with-source.ts'
import { needsSetupToken } from '../payments/vault/needs-setup-token.ts'
import type { Tools } from '../shared/tools.ts'
import { withChosenShipping } from '../shipping/choose-shipping.ts'
import { currentLanguage } from '../translation/localize-facts.ts'
import { accountOffer, opensAccount } from './checkout-account.ts'
import { type CheckoutForm, withForm } from './checkout-form.ts'
import { intentionOf } from './checkout-idempotency-key.ts'
import { FastPathUnavailable } from './fast-path-unavailable.ts'
import { formFaults, type Shopper, wantedOrder } from './order-request.ts'
import { placeOrderInBatch } from './place-order-batch.ts'

type Pressed = {
  readonly shopper: Shopper
  readonly wallet: ProviderPaymentInput
  /** What the cart sells, as it was read a moment ago. */
  readonly products: ReadonlyMap<number, CartProduct> | undefined
}

/** No session: another request of the same press was first, and this is its order. */
type FastPathOrder = { readonly order: OrderRow; readonly session: VisitSession | null }

/** What it was worked out with has changed meanwhile: whoever goes on reads it again. */
type Outdated = 'outdated'

/**
 * Places an order that needs no payment now, takes its pieces, accepts it and empties the cart, all in one transaction: what
 * nearly every such order is. There is no moment at which it is placed and not accepted, or accepted and still in the cart.
 * @returns null or that it is outdated, with nothing changed, where there is anything to say or decide: `submitCheckout` goes step
 * by step then
 */
export async function placeOrderFastPath(
  tools: Tools,
  session: VisitSession,
  form: CheckoutForm,
  { shopper, wallet, products }: Pressed,
): Promise<FastPathOrder | Outdated | null> {
  return isPlain(session, form, wallet)
    ? ordered(tools, session, form, shopper, { products, isRemembered: false })
    : null
}

/**
 * The same with session and products as they are remembered: written only if they still are so.
 * @returns null, with nothing changed, in all other cases: then nothing is decided either
 */
export async function placeOrderFromCache(
  tools: Tools,
  session: VisitSession,
  form: CheckoutForm,
  shopper: Shopper,
): Promise<FastPathOrder | null> {
  // Whether a coupon still holds has more to it than its version.
  if (session.state.coupons.length > 0 || !isPlain(session, form, nothingApproved)) return null
  const recalled = cachedCartProducts(tools, session)
  if (!recalled) return null
  const done = await ordered(tools, session, form, shopper, { products: recalled.products, isRemembered: true })
  return done === 'outdated' ? null : done
}

const nothingApproved: ProviderPaymentInput = { approvedId: null, start: false }

async function ordered(
  tools: Tools,
  session: VisitSession,
  form: CheckoutForm,
  shopper: Shopper,
  { products, isRemembered }: Pick<Pressed, 'products'> & { isRemembered: boolean },
): Promise<FastPathOrder | Outdated | null> {
  const state = withForm(session.state, form)
  const first = await quoteCart(tools, session.id, state, products)
  const chosen = withChosenShipping(state, form.shippingMethod, first.packages)
  const cart = chosen === state ? first : await quoteCart(tools, session.id, chosen, first.products)
  if (isRemembered && hasNews(tools, cart)) return null
  if (!(await isReady(tools, session, form, cart))) return null
  if (await orderOfIntention(tools, session, form.intention)) return null
  const intention = intentionOf(session, cart.quote.hash)
  const wanted = wantedOrder(session, cart, form, shopper, { intention, createdVia: 'checkout' })
  try {
    const language = await currentLanguage(tools)
    const seen = { versions: versionsOf(cart.products), entries: cart.entries, isRemembered }
    const visitor = { ...session, state: chosen }
    return await placeOrderInBatch(tools, { wanted, visitor, language, trace: traceForJob(), seen })
  } catch (error) {
    if (error instanceof FastPathUnavailable) {
      return error.why === 'outdated' ? 'outdated' : error.order && { order: error.order, session: null }
    }
    if (brokenConstraint(error) === 'products_stock_not_negative') return null
    // What was typed is kept, whatever became of the order.
    await changeSession(tools, session, (now) => ({ state: withForm(now, form), result: undefined })).catch(() => null)
    throw error
  }
}

/** A visitor who is known, nothing that was opened before, and a way to pay that asks nobody. */
function isPlain({ version, became, state }: VisitSession, form: CheckoutForm, wallet: ProviderPaymentInput): boolean {
  if (version === 0 || became !== null || state.approvedWallet !== null || state.awaitingOrder !== null) return false
  return !isProviderMethod(form.paymentMethod) && wallet.approvedId === null && !wallet.unchecked
}

/** There is something to tell of the cart before it is ordered. Whether all of it is there is asked where it is taken. */
function hasNews({ exchange }: Tools, { state, dropped, entries }: EvaluatedCart): boolean {
  const tooMany = entries.some(({ line, product }) => product.soldIndividually && line.quantity > 1)
  return dropped.length > 0 || tooMany || withRefreshedSnapshots(state, entries, exchange.from).told.length > 0
}

/** There is nothing to tell the shopper, and no account to open first. */
async function isReady(tools: Tools, session: VisitSession, form: CheckoutForm, cart: EvaluatedCart): Promise<boolean> {
  const account = accountOffer(tools, session)
  const { total } = cart.totals
  if (cart.quote.lines.length === 0 || needsSetupToken(cart) || opensAccount(account, form.account)) return false
  if (form.seenCurrency !== null && form.seenCurrency !== cart.totals.currency) return false
  if (form.seenTotal !== null && form.seenTotal !== total.minor) return false
  return (await formFaults(tools, form, cart, account)).length === 0
}

/** The order that the same press on "place order" has made before: what is in the cart by then was not on its form. */
export async function orderOfIntention(
  tools: Tools,
  { state }: VisitSession,
  intention: string,
): Promise<OrderRow | null> {
  if (intention === '') return null
  const orders = await Promise.all(state.ownOrders.slice(-5).map((id) => findOrder(tools.db.kysely, id)))
  // An order that followed one given up carries the same intention with an addition.
  return orders.find((order) => order?.intention.split(':')[0] === intention) ?? null
}
