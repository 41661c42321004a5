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
import { formFaults } from './form-faults.ts'
import { orderRequest, type Shopper } from './order-request.ts'
import { placeOrderInBatch } from './place-order-batch.ts'

type Pressed = {
  readonly shopper: Shopper
  readonly wallet: ProviderPaymentInput
  /** Products of the cart, as just read. */
  readonly products: ReadonlyMap<number, CartProduct> | undefined
}

/** Session null: another request of the same press placed this order first. */
type FastPathOrder = { readonly order: OrderRow; readonly session: VisitSession | null }

/** The facts of the calculation have changed: the caller must read them again. */
type Outdated = 'outdated'

/**
 * Places an order that needs no payment now: stock, acceptance and cart in one transaction, the frequent case. No
 * moment exists in which it is placed but not accepted, or accepted but still in the cart.
 * @returns null or `outdated`, without any change, where a decision is required: `submitCheckout` continues step by
 * step
 */
export async function placeOrderFastPath(
  tools: Tools,
  session: VisitSession,
  form: CheckoutForm,
  { shopper, wallet, products }: Pressed,
): Promise<FastPathOrder | Outdated | null> {
  return isPlain(session, form, wallet)
    ? placeReadyOrder(tools, session, form, shopper, { products, isCached: false })
    : null
}

/**
 * Places an order from the cached session and products; the write requires that they are current.
 * @returns null, without any change or decision, in all other cases
 */
export async function placeOrderFromCache(
  tools: Tools,
  session: VisitSession,
  form: CheckoutForm,
  shopper: Shopper,
): Promise<FastPathOrder | null> {
  // The validity of a coupon depends on more than its version.
  if (session.state.coupons.length > 0 || !isPlain(session, form, nothingApproved)) return null
  const cached = cachedCartProducts(tools, session)
  if (!cached) return null
  const done = await placeReadyOrder(tools, session, form, shopper, { products: cached.products, isCached: true })
  return done === 'outdated' ? null : done
}

const nothingApproved: ProviderPaymentInput = { approvedId: null, start: false }

async function placeReadyOrder(
  tools: Tools,
  session: VisitSession,
  form: CheckoutForm,
  shopper: Shopper,
  { products, isCached }: Pick<Pressed, 'products'> & { isCached: boolean },
): Promise<FastPathOrder | Outdated | null> {
  const state = withForm(session.state, form)
  const first = await quoteCart(tools, session.id, state, products)
  const chosen = withChosenShipping(state, form.shippingMethod, first.packages)
  const cart = chosen === state ? first : await quoteCart(tools, session.id, chosen, first.products)
  if (isCached && hasNotices(tools, cart)) return null
  if (!(await isReady(tools, session, form, cart))) return null
  if (await orderOfIntention(tools, session, form.intention)) return null
  const intention = intentionOf(session, cart.quote.hash)
  const wanted = orderRequest(session, cart, form, shopper, { intention, createdVia: 'checkout' })
  try {
    const language = await currentLanguage(tools)
    const seen = { versions: versionsOf(cart.products), entries: cart.entries, isCached }
    const visitor = { ...session, state: chosen }
    return await placeOrderInBatch(tools, { wanted, visitor, language, trace: traceForJob(), seen })
  } catch (error) {
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
function isPlain({ version, became, state }: VisitSession, form: CheckoutForm, wallet: ProviderPaymentInput): boolean {
  if (version === 0 || became !== null || state.approvedWallet !== null || state.awaitingOrder !== null) return false
  return !isProviderMethod(form.paymentMethod) && wallet.approvedId === null && !wallet.unchecked
}

/** Reports whether the cart has notices before an order. Stock is checked when it is reduced. */
function hasNotices({ exchange }: Tools, { state, dropped, entries }: EvaluatedCart): boolean {
  const tooMany = entries.some(({ line, product }) => product.soldIndividually && line.quantity > 1)
  return dropped.length > 0 || tooMany || withRefreshedSnapshots(state, entries, exchange.from).announced.length > 0
}

/** Reports whether the form has no faults and opens no account first. */
async function isReady(tools: Tools, session: VisitSession, form: CheckoutForm, cart: EvaluatedCart): Promise<boolean> {
  const account = accountOffer(tools, session)
  const { total } = cart.totals
  if (cart.quote.lines.length === 0 || needsSetupToken(cart) || opensAccount(account, form.account)) return false
  if (form.seenCurrency !== null && form.seenCurrency !== cart.totals.currency) return false
  if (form.seenTotal !== null && form.seenTotal !== total.minor) return false
  return (await formFaults(tools, form, cart, account)).length === 0
}

/** Finds the order that the same press placed before: later cart items were not on its form. */
export async function orderOfIntention(
  tools: Tools,
  { state }: VisitSession,
  intention: string,
): Promise<OrderRow | null> {
  if (intention === '') return null
  const orders = await Promise.all(state.ownOrders.slice(-5).map((id) => findOrder(tools.db.kysely, id)))
  // An order that replaces a cancelled one has the same intention with a suffix.
  return orders.find((order) => order?.intention.split(':')[0] === intention) ?? null
}
