import type { OrderRow } from '#database/orders/orders.ts'
import { findOrderOfWallet } from '#database/payments/wallet-orders.ts'
import type { VisitSession } from '../../customers/sessions/visit-session.ts'
import type { Tools } from '../../shared/tools.ts'

/** Finds the order of a wallet order that this visitor opened. */
export async function orderOfOwnWallet(
  tools: Tools,
  session: VisitSession,
  walletOrderId: string,
): Promise<OrderRow | null> {
  const found = await findOrderOfWallet(tools.db.kysely, walletOrderId)
  return found?.wallet.session_id === session.id ? found.order : null
}
