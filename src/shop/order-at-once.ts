import type { Transaction } from 'kysely'
import { isProviderMethod } from '#contract/payment-words.ts'
import { brokenConstraint } from '#database/connect.ts'
import { takeCouponUses } from '#database/coupons.ts'
import { keepAddresses } from '#database/customers.ts'
import { appendToLedger, emptyLedger } from '#database/ledger.ts'
import {
  findOrder,
  insertOrder,
  lockOpenOrders,
  lockOrderOfIntention,
  lockVisitorsOrders,
  nextOrderId,
  type OrderRow,
  replaceOrderItems,
} from '#database/orders.ts'
import type { Schema } from '#database/schema.ts'
import { lockStock } from '#database/stock.ts'
import { acceptance } from './accept-order.ts'
import { boughtBy, withoutBought } from './cart-lines.ts'
import { accountOffer, opensAccount } from './checkout-account.ts'
import { type CheckoutForm, withForm } from './checkout-form.ts'
import { withChosenShipping } from './choose-shipping.ts'
import { sha256 } from './digest.ts'
import { spokenLanguage } from './in-words.ts'
import { intentionOf } from './intention.ts'
import { moveLockedOrder } from './move-order.ts'
import { needsSetupToken } from './needs-setup-token.ts'
import { orderFigures, orderItems } from './order-from-quote.ts'
import type { ProviderWish } from './pay-with-source.ts'
import { isWaiting, type PlaceOrder, piecesOf, placedEvent } from './place-order.ts'
import { type EvaluatedCart, quoteCart } from './quote-cart.ts'
import { shortageIn } from './reserve-order-stock.ts'
import type { SessionState } from './session-state.ts'
import type { Tools } from './tools.ts'
import { changeSession, changeSessionWith, type VisitSession } from './visit-session.ts'
import { formFaults, type Shopper, wantedOrder } from './wanted-order.ts'
import { writtenDown } from './written-down.ts'

type Pressed = {
  readonly shopper: Shopper
  readonly wallet: ProviderWish
  /** The cart as it was worked out a moment ago, and what of. */
  readonly looked: { readonly state: SessionState; readonly cart: EvaluatedCart } | undefined
}

/**
 * Places an order that needs no payment now, takes its pieces, accepts it and empties the cart, all in one transaction: what
 * nearly every such order is. There is no moment at which it is placed and not accepted, or accepted and still in the cart.
 * @returns null, with nothing changed, where there is anything to say or decide: `submitCheckout` goes step by step then. No
 * session: another request of the same press was first, and this is its order
 */
export async function orderAtOnce(
  tools: Tools,
  session: VisitSession,
  form: CheckoutForm,
  { shopper, wallet, looked }: Pressed,
): Promise<{ order: OrderRow; session: VisitSession | null } | null> {
  if (!isPlain(session, form, wallet)) return null
  const state = withForm(session.state, form)
  const first = await quoteCart(tools, session.id, state, looked?.cart.products)
  const chosen = withChosenShipping(state, form.shippingMethod, first.packages)
  const cart = chosen === state ? first : await quoteCart(tools, session.id, chosen, first.products)
  if (!(await isReady(tools, session, form, cart))) return null
  if (await ownOrderOf(tools, session, form.intention)) return null
  const intention = intentionOf(session, cart.quote.hash)
  const wanted = wantedOrder(session, cart, form, shopper, { intention, createdVia: 'checkout' })
  try {
    const done = await writtenDown(tools, 'S13 at once', (tx) =>
      place(tools, tx, wanted, { ...session, state: chosen }),
    )
    done.noted()
    return { order: done.order, session: done.session }
  } catch (error) {
    if (error instanceof NotAtOnce) return error.order && { order: error.order, session: null }
    if (brokenConstraint(error) === 'products_stock_not_negative') return null
    // What was typed is kept, whatever became of the order.
    await changeSession(tools, session, (now) => ({ state: withForm(now, form), result: undefined })).catch(() => null)
    throw error
  }
}

/** Rolls the transaction back. */
class NotAtOnce extends Error {
  /** What the same press has made before. */
  readonly order: OrderRow | null
  constructor(order: OrderRow | null = null) {
    super('not at once')
    this.order = order
  }
}

/** A visitor who is known, nothing that was opened before, and a way to pay that asks nobody. */
function isPlain({ version, became, state }: VisitSession, form: CheckoutForm, wallet: ProviderWish): boolean {
  if (version === 0 || became !== null || state.approvedWallet !== null || state.awaitingOrder !== null) return false
  return !isProviderMethod(form.paymentMethod) && wallet.approvedId === null && !wallet.unchecked
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

async function place(tools: Tools, tx: Transaction<Schema>, wanted: PlaceOrder, visitor: VisitSession) {
  const { quote, sessionId } = wanted
  const now = tools.clock.now()
  const [, named, open, id] = await Promise.all([
    lockVisitorsOrders(tx, sessionId),
    lockOrderOfIntention(tx, sessionId, wanted.intention),
    lockOpenOrders(tx, sessionId),
    nextOrderId(tx),
  ])
  if (named && !isWaiting(named)) throw new NotAtOnce(named)
  if (named || open.length > 0) throw new NotAtOnce()
  const language = await spokenLanguage(tools)
  const needs = piecesOf(quote)
  const row = {
    id,
    ...orderFigures(wanted),
    language,
    status: 'pending' as const,
    key: `wc_order_${tools.chance.alphanumeric(22)}`,
    payment_state: 'none' as const,
    session_id: sessionId,
    intention: wanted.intention,
    created_at: now,
    updated_at: now,
  }
  const [placed, items, ledgerEnd, levels] = await Promise.all([
    insertOrder(tx, row),
    replaceOrderItems(tx, id, orderItems(quote), true),
    appendToLedger(tx, id, now, [placedEvent(wanted, true)], sha256, emptyLedger),
    lockStock(tx, [...needs.keys()], null, now),
  ])
  if (shortageIn(levels, needs)) throw new NotAtOnce()
  const left = withoutBought(visitor.state, boughtBy(id, items))
  const [moved, saved] = await Promise.all([
    moveLockedOrder(tools, tx, placed, acceptance(placed, items, now), { items, restocked: new Map(), ledgerEnd }),
    changeSessionWith(tools, tx, visitor, left),
    wanted.customerId === null ? null : keepAddresses(tx, wanted.customerId, { ...wanted, language }),
  ])
  if (!moved.ok || !saved) throw new NotAtOnce()
  // After the stock and what follows from it, as whoever gives both back locks them.
  const coupons = quote.coupons.map((coupon) => coupon.id)
  if (coupons.length > 0) {
    const usedUp = await takeCouponUses(tx, id, coupons, wanted.billing.email.trim().toLowerCase())
    if (usedUp !== null) throw new NotAtOnce()
  }
  return { order: moved.order, ...saved }
}

/** The order that the same press on "place order" has made before: what is in the cart by then was not on its form. */
export async function ownOrderOf(tools: Tools, { state }: VisitSession, intention: string): Promise<OrderRow | null> {
  if (intention === '') return null
  const orders = await Promise.all(state.ownOrders.slice(-5).map((id) => findOrder(tools.db.kysely, id)))
  // An order that followed one given up carries the same intention with an addition.
  return orders.find((order) => order?.intention.split(':')[0] === intention) ?? null
}
