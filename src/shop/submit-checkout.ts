import { isDeepStrictEqual } from 'node:util'
import { walletMethodId } from '#contract/payment-words.ts'
import { transaction } from '#database/connect.ts'
import { appendToLedger } from '#database/ledger.ts'
import { addOrderNote, findOrder, findOrderItems, lockOrder, type OrderRow, updateOrder } from '#database/orders.ts'
import { findWalletOrder } from '#database/payments.ts'
import type { Money } from '#domain/money/money.ts'
import { mayMove, takesStock } from '#domain/orders/order-status.ts'
import { isPaid, mayMovePayment } from '#domain/payments/payment-state.ts'
import { withEmptyCart } from './cart-lines.ts'
import { type CheckoutForm, checkoutFaults, type FormFault, withForm } from './checkout-form.ts'
import { withChosenShipping } from './choose-shipping.ts'
import { sha256 } from './digest.ts'
import { type FinishRefusal, finishPayment } from './finish-payment.ts'
import { intentionOf } from './intention.ts'
import { enqueue } from './jobs.ts'
import { statusOfPaid } from './order-lines.ts'
import { paymentMethods } from './payment-methods.ts'
import { type PlaceOrderResult, placeOrder } from './place-order.ts'
import { type EvaluatedCart, quoteCart } from './quote-cart.ts'
import { takeOrderStock } from './reserve-order-stock.ts'
import { startWallet } from './start-wallet.ts'
import type { Tools } from './tools.ts'
import { changeSession, type VisitSession } from './visit-session.ts'

export type Shopper = { customerIp: string; customerUserAgent: string }

export type CheckoutResult = { session: VisitSession } & (
  | { ok: true; kind: 'done'; order: OrderRow }
  /** The shopper goes to the provider and comes back by the return address. */
  | { ok: true; kind: 'approve'; order: OrderRow; approveUrl: string; walletOrderId: string }
  | { ok: false; reason: 'form'; faults: readonly FormFault[] }
  /** The form showed another total than the order would have: the shopper looks at it once more. */
  | { ok: false; reason: 'total-changed'; total: Money }
  | { ok: false; reason: 'order'; problem: PlaceOrderResult & { ok: false } }
  | { ok: false; reason: 'payment'; problem: FinishRefusal; issue?: string; order: OrderRow | null }
)

/**
 * What pressing "place order" does, by whichever door it comes: keeps the form, checks it, makes the pending order, and
 * pays it. With a wallet order that was approved for this very order the money is taken; without one the shopper is sent
 * to approve.
 */
export async function submitCheckout(
  tools: Tools,
  before: VisitSession,
  form: CheckoutForm,
  shopper: Shopper,
  wallet: { approvedId: string | null; start: boolean },
): Promise<CheckoutResult> {
  const { session, cart } = await takeForm(tools, before, form)
  const methods = paymentMethods(tools, form.paymentMethod)
  const faults = checkoutFaults(tools, form, {
    needsShipping: cart.needsShipping,
    shippingChosen: cart.packages.every(({ chosen }) => chosen !== null),
    needsPayment: cart.totals.total.minor > 0,
    methods,
  })
  // What was paid or accepted already needs no second look at the form: its first answer was lost, or is on its way.
  const done = wallet.approvedId
    ? await ownPaidOrder(tools, session, wallet.approvedId)
    : cart.quote.lines.length === 0
      ? await ownOrderOf(tools, session, form.intention)
      : null
  if (done) return closed(tools, session, done)
  if (faults.length > 0) return { session, ok: false, reason: 'form', faults }
  // The wallet shows its own total before anything is approved; every other method charges what this form showed.
  const shownElsewhere = form.paymentMethod === walletMethodId && cart.totals.total.minor > 0
  if (!shownElsewhere && form.seenTotal !== null && form.seenTotal !== cart.totals.total.minor) {
    return { session, ok: false, reason: 'total-changed', total: cart.totals.total }
  }

  const method = methods.find(({ id }) => id === form.paymentMethod)
  const placed = await placeOrder(tools, {
    sessionId: session.id,
    intention: await intentionFor(tools, session, cart, wallet.approvedId),
    quote: cart.quote,
    billing: form.billing,
    shipping: form.shipping,
    customerNote: form.customerNote,
    paymentMethod: { id: form.paymentMethod, title: method?.title ?? '' },
    createdVia: 'checkout',
    ...shopper,
  })
  if (!placed.ok) {
    if (placed.reason === 'already-paid') return closed(tools, session, placed.order)
    if (placed.reason === 'being-paid') return joinPayment(tools, session, placed.order)
    return { session, ok: false, reason: 'order', problem: placed }
  }
  const { order } = placed
  const waiting = await remember(tools, session, order.id)
  if (order.total === 0 || form.paymentMethod !== walletMethodId) {
    const note = order.total === 0 ? 'Nothing to pay.' : 'To be paid on delivery.'
    const settled = await settleWithoutPayment(tools, order, note)
    if (typeof settled !== 'string') return closed(tools, waiting, settled)
    return { session: waiting, ok: false, reason: 'payment', problem: settled, order }
  }
  return payByWallet(tools, waiting, order, cart, wallet)
}

/** The order that an approved wallet order was opened for keeps its intention, whatever the form has made of its total. */
async function intentionFor(
  tools: Tools,
  session: VisitSession,
  cart: EvaluatedCart,
  approvedId: string | null,
): Promise<string> {
  const id = approvedId ?? session.state.approvedWallet
  const row = id ? await findWalletOrder(tools.db.kysely, id) : undefined
  const order = row?.session_id === session.id ? await findOrder(tools.db.kysely, row.order_id) : undefined
  return order?.status === 'pending' ? order.intention : intentionOf(session, cart.quote.hash)
}

/** Keeps what the form says in the session, and works the cart out with it. */
export async function takeForm(
  tools: Tools,
  session: VisitSession,
  form: CheckoutForm,
): Promise<{ session: VisitSession; cart: EvaluatedCart }> {
  const kept = await changeSession(tools, session, (state) => {
    const next = withForm(state, form)
    // After approval the same form comes a second time: what is stored already needs no writing.
    return { state: isDeepStrictEqual(next, state) ? state : next, result: undefined }
  })
  const cart = await quoteCart(tools, kept.session.id, kept.session.state)
  const chosen = withChosenShipping(kept.session.state, form.shippingMethod, cart.packages)
  if (chosen === kept.session.state) return { session: kept.session, cart }
  const again = await changeSession(tools, kept.session, (state) => ({
    state: withChosenShipping(state, form.shippingMethod, cart.packages),
    result: undefined,
  }))
  return { session: again.session, cart: await quoteCart(tools, again.session.id, again.session.state) }
}

async function payByWallet(
  tools: Tools,
  session: VisitSession,
  order: OrderRow,
  cart: EvaluatedCart,
  wallet: { approvedId: string | null; start: boolean },
): Promise<CheckoutResult> {
  const approved = wallet.approvedId ?? session.state.approvedWallet
  if (approved) {
    const row = await findWalletOrder(tools.db.kysely, approved)
    // Looked up by our own row: somebody else's wallet order, or one for another order, pays for nothing here.
    if (row?.order_id === order.id && row.session_id === session.id) {
      const result = await finishPayment(tools, order.id, approved)
      if (result.ok) return closed(tools, session, result.order)
      if (!wallet.start || !['outdated', 'not-approved', 'refused'].includes(result.reason)) {
        const issue = result.issue === undefined ? {} : { issue: result.issue }
        return { session, ok: false, reason: 'payment', problem: result.reason, order, ...issue }
      }
    } else if (!wallet.start) {
      return { session, ok: false, reason: 'payment', problem: 'outdated', order }
    }
  }
  const started = await startWallet(tools, order.id, {
    shippingPreference: cart.needsShipping ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING',
    userAction: 'PAY_NOW',
  })
  if (started.ok) {
    return {
      session,
      ok: true,
      kind: 'approve',
      order,
      approveUrl: started.approveUrl,
      walletOrderId: started.walletOrderId,
    }
  }
  const problem =
    started.reason === 'refused' ? 'refused' : started.reason === 'unreachable' ? 'unreachable' : 'checking'
  const issue = 'issue' in started ? { issue: started.issue } : {}
  return { session, ok: false, reason: 'payment', problem, order, ...issue }
}

/** Waits for what another request does with the money of an order of this visitor, and tells what came of it. */
export async function joinPayment(tools: Tools, session: VisitSession, order: OrderRow): Promise<CheckoutResult> {
  const result = await finishPayment(tools, order.id)
  if (result.ok) return closed(tools, session, result.order)
  const issue = result.issue === undefined ? {} : { issue: result.issue }
  return { session, ok: false, reason: 'payment', problem: result.reason, order: result.order, ...issue }
}

async function ownPaidOrder(tools: Tools, session: VisitSession, walletOrderId: string): Promise<OrderRow | null> {
  const row = await findWalletOrder(tools.db.kysely, walletOrderId)
  if (!row || row.session_id !== session.id) return null
  const order = await findOrder(tools.db.kysely, row.order_id)
  return order && (order.payment_state === 'paid' || order.payment_state === 'review') ? order : null
}

/** The order that this cart waits for, so that a return by another way finds it. */
export async function remember(tools: Tools, session: VisitSession, orderId: number): Promise<VisitSession> {
  const { session: next } = await changeSession(tools, session, (state) => ({
    state: state.awaitingOrder === orderId ? state : { ...state, awaitingOrder: orderId },
    result: undefined,
  }))
  return next
}

/** The order that the same press on "place order" has made before, when it emptied the cart. */
async function ownOrderOf(tools: Tools, { state }: VisitSession, intention: string): Promise<OrderRow | null> {
  if (intention === '') return null
  const orders = await Promise.all(state.ownOrders.slice(-5).map((id) => findOrder(tools.db.kysely, id)))
  // An order that followed one given up carries the same intention with an addition.
  return orders.find((order) => order?.intention.split(':')[0] === intention) ?? null
}

/** The purchase is over for this visitor: the cart is emptied, once per order. */
export async function closed(tools: Tools, session: VisitSession, order: OrderRow): Promise<CheckoutResult> {
  return { session: await closePurchase(tools, session, order.id), ok: true, kind: 'done', order }
}

/**
 * Empties the cart whose order was paid while the shopper was away, by a notification or after a crash: bought things that
 * still lie in the cart would be bought again with the next order.
 */
export async function closeAwaited(tools: Tools, session: VisitSession): Promise<VisitSession> {
  const { awaitingOrder } = session.state
  if (awaitingOrder === null) return session
  const order = await findOrder(tools.db.kysely, awaitingOrder)
  if (order && (isPaid(order.payment_state) || takesStock(order.status))) {
    return closePurchase(tools, session, order.id)
  }
  return session
}

export async function closePurchase(tools: Tools, session: VisitSession, orderId: number): Promise<VisitSession> {
  const { session: next } = await changeSession(tools, session, (state) => ({
    state: state.ownOrders.includes(orderId) ? state : withEmptyCart(state, orderId),
    result: undefined,
  }))
  return next
}

/**
 * An order that needs no payment now: stock is taken, the customer hears of it. Doing it twice changes nothing.
 * @returns the order, or what came between: another tab gave it up, or is paying it; or held pieces were counted off
 */
async function settleWithoutPayment(
  tools: Tools,
  placed: OrderRow,
  note: string,
): Promise<OrderRow | 'cancelled' | 'checking' | 'stock'> {
  const now = tools.clock.now()
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, placed.id)
    if (!order) throw new Error(`the order ${placed.id} is gone`)
    const items = await findOrderItems(tx, order.id)
    const status = statusOfPaid(items)
    if (order.status === 'cancelled') return 'cancelled'
    if (order.status !== 'pending' || !mayMove(order.status, status)) return order
    // A wallet that was opened before is left behind, unless its money is under way at this moment.
    const state = order.total === 0 ? 'paid' : 'none'
    if (!mayMovePayment(order.payment_state, state)) return 'checking'
    if (!(await takeOrderStock(tools, tx, order.id, items))) return 'stock'
    const change = { status, payment_state: state, stock_reduced: true, updated_at: now } as const
    await updateOrder(tx, order.id, state === 'paid' ? { ...change, paid_at: now } : change)
    await addOrderNote(tx, order.id, note, now)
    await appendToLedger(
      tx,
      order.id,
      now,
      [{ kind: 'accepted', data: { status, method: order.payment_method } }],
      sha256,
    )
    const kinds = ['customer_processing_order', 'new_order'] as const
    await enqueue(tx, 'order-mail', { orderId: order.id, kinds }, { key: `order-mail-${order.id}-${kinds[0]}` })
    return { ...order, ...change }
  })
}
