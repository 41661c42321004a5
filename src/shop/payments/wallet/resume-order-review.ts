import { walletMethodId } from '#contract/payments/constants.ts'
import type { OrderReviewReturn } from '#contract/payments/order-review-return.ts'
import { findOrder } from '#database/orders/orders.ts'
import { findWalletOrder } from '#database/payments/wallet-orders.ts'
import { visibleText } from '#domain/translation/visible-text.ts'
import { postedAddress } from '../../checkout/parse-checkout.ts'
import { type AddressState, emptyAddress, type SessionState } from '../../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../../customers/sessions/visit-session.ts'
import type { Tools } from '../../shared/tools.ts'

/**
 * Resumes an approved payment for the shopper's review: fills the form and stores the approval in the session. The URL
 * can be forged: it counts only for an approved wallet order that this visitor opened. It counts once, so that a reload
 * keeps later input.
 * @returns null where it does not count
 */
export async function startOrderReview(
  tools: Tools,
  session: VisitSession,
  { paypal_order: walletOrderId, fields }: OrderReviewReturn,
): Promise<VisitSession | null> {
  if (session.state.approvedWallet === walletOrderId) return session
  const row = await findWalletOrder(tools.db.kysely, walletOrderId)
  if (row?.session_id !== session.id) return null
  const order = await findOrder(tools.db.kysely, row.order_id)
  if (order?.status !== 'pending' || order.id !== session.state.awaitingOrder) return null
  const read = await tools.paypal?.getOrder(walletOrderId)
  if (!read?.ok || read.value.status !== 'APPROVED') return null
  const { session: next } = await changeSession(tools, session, (state) => ({
    state: { ...withFields(tools, state, fields), paymentMethod: walletMethodId, approvedWallet: walletOrderId },
    result: undefined,
  }))
  return next
}

/** Returns the session state with the fields, sanitized like a posted form. */
function withFields(tools: Tools, state: SessionState, fields: Readonly<Record<string, string>>): SessionState {
  const named = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      /^(billing|shipping)_/.test(name) ? name : `billing_${name}`,
      value,
    ]),
  )
  const merged = (kind: 'billing' | 'shipping'): AddressState => {
    const before = Object.fromEntries(Object.entries(state[kind]).map(([key, value]) => [`${kind}_${key}`, value]))
    const { values } = postedAddress(tools, kind, { ...before, ...named })
    return { ...emptyAddress, ...values }
  }
  const kinds = (['billing', 'shipping'] as const).filter((kind) =>
    Object.keys(emptyAddress).some((key) => Object.hasOwn(named, `${kind}_${key}`)),
  )
  const note = fields.order_comments
  return {
    ...state,
    ...Object.fromEntries(kinds.map((kind) => [kind, merged(kind)])),
    shipToDifferent: kinds.includes('shipping') || state.shipToDifferent,
    customerNote: note === undefined ? state.customerNote : visibleText(note.slice(0, 2000)),
  }
}
