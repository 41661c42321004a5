import { transaction } from '#database/engine/connect.ts'
import {
  insertOrder,
  lockDraftOrder,
  lockOrderOfIntention,
  lockVisitorsOrders,
  type OrderRow,
  updateOrder,
} from '#database/orders/orders.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import { orderFigures } from '../orders/order-from-quote.ts'
import type { Tools } from '../shared/tools.ts'
import { currentLanguage } from '../translation/localize-facts.ts'
import { intentionOf } from './checkout-idempotency-key.ts'
import type { Shopper } from './order-request.ts'

/**
 * Returns the draft of a visitor's checkout: an order with the cart's figures and the session's addresses, which
 * reserves nothing and is in no list. Placing the same cart turns it into the order. A draft follows its cart.
 * @returns the order of this cart where it is placed already
 */
export async function saveDraftOrder(
  tools: Tools,
  session: VisitSession,
  cart: EvaluatedCart,
  shopper: Shopper,
): Promise<OrderRow> {
  const { state } = session
  const now = tools.clock.now()
  const intention = intentionOf(session, cart.quote.hash)
  const method = cart.methods.find(({ chosen }) => chosen)
  const figures = {
    ...orderFigures({
      customerId: session.customerId,
      quote: cart.quote,
      billing: state.billing,
      shipping: state.shipToDifferent ? state.shipping : state.billing,
      customerNote: state.customerNote,
      paymentMethod: { id: method?.id ?? '', title: method?.title ?? '' },
      createdVia: 'checkout',
      ...shopper,
    }),
    language: await currentLanguage(tools),
    intention,
    updated_at: now,
  }
  return transaction(tools, async (tx) => {
    await lockVisitorsOrders(tx, [session.id])
    const [named, draft] = [await lockOrderOfIntention(tx, session.id, intention), await lockDraftOrder(tx, session.id)]
    if (named && named.id !== draft?.id) return named
    if (draft) {
      await updateOrder(tx, draft.id, figures)
      return { ...draft, ...figures }
    }
    return insertOrder(tx, {
      ...figures,
      status: 'checkout-draft',
      key: `wc_order_${tools.chance.alphanumeric(22)}`,
      payment_state: 'none',
      session_id: session.id,
      created_at: now,
    })
  })
}

/** Adjusts an existing draft to a cart that is ordered now, so that the order keeps its id. */
export async function followDraftOrder(
  tools: Tools,
  session: VisitSession,
  cart: EvaluatedCart,
  shopper: Shopper,
): Promise<void> {
  const [draft] = await tools.db.sql<{ intention: string }[]>`
    select intention from orders where session_id = ${session.id} and status = 'checkout-draft' limit 1`
  if (draft && draft.intention !== intentionOf(session, cart.quote.hash)) {
    await saveDraftOrder(tools, session, cart, shopper)
  }
}
