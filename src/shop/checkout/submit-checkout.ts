import { isDeepStrictEqual } from 'node:util'
import { isProviderMethod, newMethod, walletMethodId } from '#contract/payments/constants.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { findOrderOfWallet, findWalletOrder } from '#database/payments/wallet-orders.ts'
import type { Money } from '#domain/money/money.ts'
import { customerHasPaid } from '#domain/payments/payment-state.ts'
import type { PaymentSource } from '#paypal/source-body.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import { quoteCart } from '../cart/quote-cart.ts'
import type { SessionState } from '../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../customers/sessions/visit-session.ts'
import { type AcceptRefusal, acceptOrder } from '../orders/accept-order.ts'
import { approvedFrozenOrder } from '../orders/frozen-order.ts'
import { type FinishRefusal, finishPayment } from '../payments/operation/finish-payment.ts'
import {
  approvalSource,
  immediateSource,
  type ProviderPaymentInput,
  payWithSource,
} from '../payments/operation/pay-with-source.ts'
import { payerOf, paymentSource } from '../payments/operation/payment-source.ts'
import { startSavingMethod } from '../payments/vault/create-setup-token.ts'
import { needsSetupToken } from '../payments/vault/needs-setup-token.ts'
import { savedMethodForOrder, saveMethodForOrder } from '../payments/vault/save-method-without-payment.ts'
import { amendWallet, sendWalletAddress } from '../payments/wallet/amend-wallet-order.ts'
import {
  abandonWalletOrder,
  type PreparedWalletOrder,
  problemOf,
  startWallet,
} from '../payments/wallet/start-wallet.ts'
import type { WalletPresentation } from '../payments/wallet/wallet-order.ts'
import type { Tools } from '../shared/tools.ts'
import { withChosenShipping } from '../shipping/choose-shipping.ts'
import { accountNeeded, accountOffer, opensAccount } from './checkout-account.ts'
import { type CheckoutForm, type FormFault, withForm } from './checkout-form.ts'
import { intentionOf } from './checkout-idempotency-key.ts'
import { closePurchase } from './close-purchase.ts'
import { formFaults } from './form-faults.ts'
import { openAccount } from './open-account.ts'
import { orderOfIntention, placeOrderFastPath } from './order-fast-path.ts'
import { orderRequest, type Shopper } from './order-request.ts'
import { type PlaceOrderResult, placeOrder } from './place-order.ts'

export type CheckoutResult = { session: VisitSession } & (
  | { ok: true; kind: 'done'; order: OrderRow }
  /** The shopper goes to PayPal and returns by the return URL. */
  | { ok: true; kind: 'approve'; order: OrderRow; approveUrl: string; walletOrderId: string }
  /** Nothing is due: the shopper goes to PayPal to save a payment method, and returns to the form. */
  | { ok: false; reason: 'keep'; url: string }
  | { ok: false; reason: 'form'; faults: readonly FormFault[] }
  /** The form showed another total than the order's: the shopper reviews it. */
  | { ok: false; reason: 'total-changed'; total: Money }
  | { ok: false; reason: 'order'; problem: PlaceOrderResult & { ok: false } }
  | { ok: false; reason: 'payment'; problem: FinishRefusal | AcceptRefusal; issue?: string; order: OrderRow | null }
  /** Too many accounts were opened from this network, or for this email. */
  | { ok: false; reason: 'too-many'; waitMs: number }
)

/**
 * Submits the checkout form, from any endpoint: saves and validates it, places the pending order, and pays it. An
 * approved wallet order of this order is captured; without one the shopper is sent to approve.
 */
export async function submitCheckout(
  tools: Tools,
  before: VisitSession,
  form: CheckoutForm,
  shopper: Shopper,
  wallet: ProviderPaymentInput,
  evaluated?: EvaluatedForm,
): Promise<CheckoutResult> {
  const atOnce = await placeOrderFastPath(tools, before, form, { shopper, wallet, products: evaluated?.cart.products })
  const looked = atOnce === 'outdated' ? undefined : evaluated
  if (atOnce && atOnce !== 'outdated') {
    const { session, order } = atOnce
    return session ? { session, ok: true, kind: 'done', order } : closeWithResult(tools, before, order)
  }
  const { session: kept, cart } = await saveCheckoutForm(tools, before, form, looked)
  const keeps = needsSetupToken(cart)
  const account = keeps ? accountNeeded(accountOffer(tools, kept)) : accountOffer(tools, kept)
  const faults = await formFaults(tools, form, cart, account)
  // An order that is paid or accepted already needs no validation: its first response was lost or is on its way.
  const approved = wallet.approvedId ? await ownApprovedOrder(tools, kept, wallet.approvedId) : null
  const paid = approved && customerHasPaid(approved.payment_state) ? approved : null
  const done = wallet.approvedId ? paid : await orderOfIntention(tools, kept, form.intention)
  if (done) return closeWithResult(tools, kept, done)
  if (faults.length > 0) return { session: kept, ok: false, reason: 'form', faults }
  // The wallet shows its own total before the approval; all other methods charge the form's total.
  const { kept: chosen, paymentToken, billingToken } = form.payment
  const inWindow = (chosen === '' || chosen === newMethod) && paymentToken === '' && billingToken === ''
  const walletShowsTotal = form.paymentMethod === walletMethodId && inWindow && cart.totals.total.minor > 0
  // A currency other than the form's is never charged, not even by wallet: another tab has changed it.
  const otherCurrency = form.seenCurrency !== null && form.seenCurrency !== cart.totals.currency
  const frozen = await approvedFrozenOrder(tools, kept, { approved, quote: cart.quote, form })
  const due = frozen?.total ?? cart.totals.total.minor
  const otherTotal = !walletShowsTotal && form.seenTotal !== null && form.seenTotal !== due
  if (otherCurrency || otherTotal) {
    return { session: kept, ok: false, reason: 'total-changed', total: cart.totals.total }
  }
  const means = keeps ? await savedMethodForOrder(tools, kept, form) : null
  if (keeps && !means) return startSavingForOrder(tools, kept, form, { ip: shopper.customerIp, start: wallet.start })
  // Without order lines no account is opened.
  const opened =
    cart.quote.lines.length > 0 && opensAccount(account, form.account)
      ? await openAccount(tools, kept, form, shopper)
      : null
  if (opened?.ok === false) {
    if (opened.reason === 'too-many') return { session: kept, ok: false, reason: 'too-many', waitMs: opened.waitMs }
    return { session: kept, ok: false, reason: 'form', faults: [opened.fault] }
  }
  const session = opened?.session ?? kept

  const press = async () => ({
    intention: await intentionFor(tools, session, cart, wallet.approvedId),
    createdVia: wallet.unchecked ? ('wallet' as const) : ('checkout' as const),
  })
  const source = isProviderMethod(form.paymentMethod)
    ? await paymentSource(tools, form.paymentMethod, form.payment, payerOf(session))
    : null
  const opens = means || due === 0 ? null : walletToOpen(session, source, { cart, form }, wallet)
  const placed: PlaceOrderResult = frozen
    ? { ok: true, order: frozen }
    : await placeOrder(tools, orderRequest(session, cart, form, shopper, await press()), opens ?? undefined)
  if (!placed.ok) {
    if (placed.reason === 'already-paid') return closeWithResult(tools, session, placed.order)
    if (placed.reason === 'being-paid') return awaitOtherPayment(tools, session, placed.order)
    return { session, ok: false, reason: 'order', problem: placed }
  }
  const { order, preparedWallet } = placed
  const waiting = await saveAwaitedOrder(tools, session, placed)
  if (means) {
    const named = await saveMethodForOrder(tools, order, means)
    if (named !== 'kept') return { session: waiting, ok: false, reason: 'payment', problem: named, order }
  }
  if (order.total === 0 || !isProviderMethod(form.paymentMethod)) {
    const accepted = await acceptOrder(tools, order.id)
    if (typeof accepted !== 'string') return closeWithResult(tools, waiting, accepted)
    return { session: waiting, ok: false, reason: 'payment', problem: accepted, order }
  }
  // Opening an account moves the visitor's wallet orders to another session: then ownership is read again.
  const isOwn = !opened && approved?.id === order.id
  return payByProvider(tools, waiting, order, { cart, form, source, isOwn, preparedWallet }, wallet)
}

/** Redirects a shopper without scripts to approve a payment method; all others approve it on the page. */
async function startSavingForOrder(
  tools: Tools,
  session: VisitSession,
  { paymentMethod: method, payment }: CheckoutForm,
  { ip, start }: { ip: string; start: boolean },
): Promise<CheckoutResult> {
  const refused: CheckoutResult = { session, ok: false, reason: 'form', faults: [{ code: 'keep-method' }] }
  const isWrong = payment.paymentToken !== '' || !['', newMethod].includes(payment.kept)
  if (!start || isWrong || method !== walletMethodId) return refused
  const started = await startSavingMethod(tools, session, { method, context: 'checkout', ip })
  if (started.ok)
    return started.approveUrl === '' ? refused : { session, ok: false, reason: 'keep', url: started.approveUrl }
  if (started.reason === 'too-many') return { session, ok: false, reason: 'too-many', waitMs: started.waitMs }
  return { session, ok: false, reason: 'payment', problem: started.reason, order: null }
}

/** Returns the intention: an approved wallet order keeps its own, also after a new total. */
async function intentionFor(
  tools: Tools,
  session: VisitSession,
  cart: EvaluatedCart,
  approvedId: string | null,
): Promise<string> {
  const id = approvedId ?? session.state.approvedWallet
  const order = id ? await ownApprovedOrder(tools, session, id) : null
  const sameOrder = order?.status === 'pending' && order.currency === cart.totals.currency
  return order && sameOrder ? order.intention : intentionOf(session, cart.quote.hash)
}

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

/** Problems after which an approval may be captured or retried. After others the wallet is asked again. */
const retryableProblems: readonly string[] = ['checking', 'attention', 'unreachable']

async function withoutApproval(tools: Tools, session: VisitSession): Promise<VisitSession> {
  const { session: next } = await changeSession(tools, session, (state) => ({
    state: state.approvedWallet === null ? state : { ...state, approvedWallet: null },
    result: undefined,
  }))
  return next
}

async function payByProvider(
  tools: Tools,
  session: VisitSession,
  order: OrderRow,
  {
    cart,
    form,
    source,
    isOwn,
    preparedWallet,
  }: {
    cart: EvaluatedCart
    form: CheckoutForm
    source: PaymentSource | null
    /** The posted wallet order is known to be this visitor's, for this order. */
    isOwn: boolean
    preparedWallet: PreparedWalletOrder | undefined
  },
  wish: ProviderPaymentInput,
): Promise<CheckoutResult> {
  const failed = (problem: FinishRefusal, issue?: string, after = session): CheckoutResult => {
    return { session: after, ok: false, reason: 'payment', problem, order, ...(issue ? { issue } : {}) }
  }
  if (!source) return failed('unknown-means')
  const presentation = presentationOf(cart)
  const atOnce = immediateSource(source, form.payment, wish.approvedId)
  if (atOnce) {
    const result = await payWithSource(tools, order.id, atOnce, presentation)
    if (result.ok) return closeWithResult(tools, session, result.order)
    if (result.reason !== 'payer-action') return failed(result.reason, result.issue)
    const { approveUrl, walletOrderId } = result
    return { session, ok: true, kind: 'approve', order, approveUrl, walletOrderId }
  }

  const approved = approvedFor(session, source, wish)
  if (approved) {
    // Checked by our own row: a wallet order of another visitor or order pays for nothing here.
    if ((isOwn && approved === wish.approvedId) || (await isOwnWallet(tools, session, order, approved))) {
      const agreed = wish.looked && source.kind === 'wallet' && form.seenTotal === order.total
      if (agreed) await amendWallet(tools, order.id, approved)
      if (presentation.shippingPreference === 'SET_PROVIDED_ADDRESS') await sendWalletAddress(tools, order, approved)
      const result = await finishPayment(tools, order.id, approved)
      if (result.ok) return closeWithResult(tools, session, result.order)
      if (!wish.start || !['outdated', 'not-approved', 'payer-step', 'refused'].includes(result.reason)) {
        const after = retryableProblems.includes(result.reason) ? session : await withoutApproval(tools, session)
        return failed(result.reason, result.issue, after)
      }
    } else if (!wish.start) {
      return failed('outdated')
    }
  }
  const toStart = { ...presentation, source: approvalSource(source, wish) }
  const started = await startWallet(tools, order.id, toStart, preparedWallet)
  if (!started.ok) return failed(problemOf(started), 'issue' in started ? started.issue : undefined)
  const { approveUrl, walletOrderId } = started
  return { session, ok: true, kind: 'approve', order, approveUrl, walletOrderId }
}

/** Returns the wallet presentation of an order whose total the shopper has seen. */
function presentationOf(cart: EvaluatedCart): WalletPresentation {
  return { shippingPreference: cart.needsShipping ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING', userAction: 'PAY_NOW' }
}

/** Returns the approved wallet order of this press or an earlier one. A wallet approval never pays a card. */
function approvedFor({ state }: VisitSession, source: PaymentSource, wish: ProviderPaymentInput): string | null {
  return wish.approvedId ?? (source.kind === 'wallet' ? state.approvedWallet : null)
}

/** Returns the presentation of the wallet order to open; null where another source pays. */
function walletToOpen(
  session: VisitSession,
  source: PaymentSource | null,
  { cart, form }: { cart: EvaluatedCart; form: CheckoutForm },
  wish: ProviderPaymentInput,
): WalletPresentation | null {
  if (!source || immediateSource(source, form.payment, wish.approvedId) || approvedFor(session, source, wish))
    return null
  return { ...presentationOf(cart), source: approvalSource(source, wish) }
}

/** Waits for a concurrent payment of the visitor's order, and returns its result. */
export async function awaitOtherPayment(tools: Tools, session: VisitSession, order: OrderRow): Promise<CheckoutResult> {
  const result = await finishPayment(tools, order.id)
  if (result.ok) return closeWithResult(tools, session, result.order)
  const issue = result.issue === undefined ? {} : { issue: result.issue }
  return { session, ok: false, reason: 'payment', problem: result.reason, order: result.order, ...issue }
}

/** Reports whether this visitor opened the wallet order for this order. */
async function isOwnWallet(tools: Tools, session: VisitSession, order: OrderRow, id: string): Promise<boolean> {
  const row = await findWalletOrder(tools.db.kysely, id)
  return row?.order_id === order.id && row.session_id === session.id
}

async function ownApprovedOrder(tools: Tools, session: VisitSession, walletOrderId: string): Promise<OrderRow | null> {
  const found = await findOrderOfWallet(tools.db.kysely, walletOrderId)
  return found?.wallet.session_id === session.id ? found.order : null
}

/** Stores the cart's pending order in the session, so that any return finds it. */
export async function saveAwaitedOrder(
  tools: Tools,
  session: VisitSession,
  { order: { id: orderId }, preparedWallet }: PlaceOrderResult & { ok: true },
): Promise<VisitSession> {
  const awaiting = (state: SessionState) => ({
    state: state.awaitingOrder === orderId ? state : { ...state, awaitingOrder: orderId },
    result: undefined,
  })
  try {
    const { session: next } = await changeSession(tools, session, awaiting, 'S10 awaited order')
    return next
  } catch (error) {
    abandonWalletOrder(tools, preparedWallet)
    throw error
  }
}

/** Closes the purchase: the bought lines leave the cart, once per order. */
export async function closeWithResult(tools: Tools, session: VisitSession, order: OrderRow): Promise<CheckoutResult> {
  return { session: await closePurchase(tools, session, order.id), ok: true, kind: 'done', order }
}
