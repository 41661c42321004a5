import type { OrderRow } from '#database/orders/orders.ts'
import type { PaymentSource } from '#paypal/source-body.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import type { SessionState } from '../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../customers/sessions/visit-session.ts'
import { approvalSource, immediateSource } from '../payments/operation/pay-with-source.ts'
import { orderOfOwnWallet } from '../payments/wallet/order-of-own-wallet.ts'
import { abandonWalletOrder } from '../payments/wallet/start-wallet.ts'
import type { WalletPresentation } from '../payments/wallet/wallet-order.ts'
import type { Tools } from '../shared/tools.ts'
import { intentionOf } from './checkout-idempotency-key.ts'
import type { Approval, BatchRefused, IdentifiedCheckout, PlacedCheckout } from './checkout-stages.ts'
import { placeInBatch } from './order-fast-path.ts'
import { orderRequest } from './order-request.ts'
import { type PlaceOrder, type PlaceOrderResult, placeOrder } from './place-order.ts'

/**
 * Stage 4, place: an evaluated cart and its payer to the pending order, with all facts of its payment. An order that
 * needs no payment now is placed, accepted and closed in a batch; an approved order with fixed prices is taken as it
 * was placed. Ends where no order is placed, or where it is accepted already.
 */
export async function placeCheckoutOrder(
  tools: Tools,
  identified: IdentifiedCheckout,
): Promise<PlacedCheckout | BatchRefused> {
  if (identified.unsaved) return placeInBatch(tools, identified, identified.unsaved)
  const { cart, form, wish, source, methodToSave, frozen } = identified
  const presentation = presentationOf(cart)
  const placed = frozen
    ? await awaitOrder(tools, identified.session, { ok: true, order: frozen })
    : await placeAwaitedOrder(
        tools,
        identified.session,
        await requestOf(tools, identified),
        opensWallet(identified) ? { ...presentation, source: approvalSource(identified.source, wish) } : undefined,
      )
  if (!placed.ok) return existingOrder(identified.session, placed)
  const { session, order, preparedWallet } = placed
  const approval = source && approvalOf(identified, session, source, order)
  const payment = { method: form.paymentMethod, methodToSave, source, input: form.payment, wish, presentation }
  return { kind: 'placed', session, order, ...payment, approval, preparedWallet }
}

type AwaitedOrder = PlaceOrderResult & { ok: true } & { session: VisitSession }

/**
 * Places an order that its session awaits from now on. Express enters here, without the form's stages; a manual order
 * of the desk would, with a quote of the merchant's lines and a session of its own.
 * @param wallet presentation of the wallet order where it is opened next
 */
export async function placeAwaitedOrder(
  tools: Tools,
  session: VisitSession,
  wanted: PlaceOrder,
  wallet?: WalletPresentation,
): Promise<AwaitedOrder | (PlaceOrderResult & { ok: false })> {
  const placed = await placeOrder(tools, wanted, wallet)
  return placed.ok ? awaitOrder(tools, session, placed) : placed
}

/** Stores the cart's pending order in the session, so that any return finds it. */
async function awaitOrder(
  tools: Tools,
  session: VisitSession,
  placed: PlaceOrderResult & { ok: true },
): Promise<AwaitedOrder> {
  const { id } = placed.order
  const awaiting = (state: SessionState) => ({
    state: state.awaitingOrder === id ? state : { ...state, awaitingOrder: id },
    result: undefined,
  })
  try {
    const { session: next } = await changeSession(tools, session, awaiting, 'S10 awaited order')
    return { ...placed, session: next }
  } catch (error) {
    abandonWalletOrder(tools, placed.preparedWallet)
    throw error
  }
}

/** Returns how a checkout goes on whose order was refused: with the visitor's order that exists, or not at all. */
export function existingOrder(session: VisitSession, problem: PlaceOrderResult & { ok: false }): PlacedCheckout {
  if (problem.reason === 'being-paid') return { kind: 'approved', session, order: problem.order }
  if (problem.reason === 'already-paid') {
    return { kind: 'ended', session, outcome: { ok: true, kind: 'done', order: problem.order } }
  }
  return { kind: 'ended', session, outcome: { ok: false, reason: 'order', problem } }
}

async function requestOf(
  tools: Tools,
  { session, cart, form, shopper, wish }: IdentifiedCheckout,
): Promise<PlaceOrder> {
  return orderRequest(session, cart, form, shopper, {
    intention: await intentionFor(tools, session, cart, wish.approvedId),
    createdVia: wish.unchecked ? 'wallet' : 'checkout',
  })
}

/** Returns the intention: an approved wallet order keeps its own, also after a new total. */
async function intentionFor(
  tools: Tools,
  session: VisitSession,
  cart: EvaluatedCart,
  approvedId: string | null,
): Promise<string> {
  const id = approvedId ?? session.state.approvedWallet
  const order = id ? await orderOfOwnWallet(tools, session, id) : null
  const sameOrder = order?.status === 'pending' && order.currency === cart.totals.currency
  return order && sameOrder ? order.intention : intentionOf(session, cart.quote.hash)
}

/** Returns the wallet presentation of an order whose total the shopper has seen. */
function presentationOf(cart: EvaluatedCart): WalletPresentation {
  return { shippingPreference: cart.needsShipping ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING', userAction: 'PAY_NOW' }
}

/** Reports whether the order is paid by a wallet order that is opened next. */
function opensWallet(
  identified: IdentifiedCheckout,
): identified is IdentifiedCheckout & { readonly source: PaymentSource } {
  const { session, source, methodToSave, due, form, wish } = identified
  if (methodToSave || due === 0 || !source) return false
  return !immediateSource(source, form.payment, wish.approvedId) && !approvedIdFor(identified, session, source)
}

/** Returns the approved wallet order of this press or an earlier one. A wallet approval never pays a card. */
function approvedIdFor(
  { wish }: Pick<IdentifiedCheckout, 'wish'>,
  { state }: VisitSession,
  source: PaymentSource,
): string | null {
  return wish.approvedId ?? (source.kind === 'wallet' ? state.approvedWallet : null)
}

function approvalOf(
  identified: IdentifiedCheckout,
  session: VisitSession,
  source: PaymentSource,
  order: OrderRow,
): Approval | null {
  const { wish, form, approvedOrderId } = identified
  const id = approvedIdFor(identified, session, source)
  if (!id) return null
  const isOwn = approvedOrderId === order.id && id === wish.approvedId
  const isTotalSeen = wish.looked === true && source.kind === 'wallet' && form.seenTotal === order.total
  return { id, sessionId: session.id, isOwn, isTotalSeen }
}
