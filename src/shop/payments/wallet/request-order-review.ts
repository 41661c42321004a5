import type { OrderRow } from '#database/orders/orders.ts'
import type { SessionState } from '../../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../../customers/sessions/visit-session.ts'
import type { Tools } from '../../shared/tools.ts'
import { amendWallet } from './amend-wallet-order.ts'

/**
 * Requires the shopper's review of an order before its approval counts: PayPal gets the figures that the form will
 * show, and the approval waits in the session for the form's button.
 */
export async function requestOrderReview(
  tools: Tools,
  session: VisitSession,
  order: Pick<OrderRow, 'id'>,
  walletOrderId: string,
): Promise<VisitSession> {
  // Where PayPal refuses them, the button opens another wallet order.
  await amendWallet(tools, order.id, walletOrderId)
  const keep = (state: SessionState) => ({
    state: state.approvedWallet === walletOrderId ? state : { ...state, approvedWallet: walletOrderId },
    result: undefined,
  })
  const { session: next } = await changeSession(tools, session, keep, 'S9')
  return next
}
