import { setWalletState } from '#database/payments/wallet-orders.ts'
import type { VisitSession } from '../../customers/sessions/visit-session.ts'
import type { Tools } from '../../shared/tools.ts'
import { amendWallet } from './amend-wallet-order.ts'
import {
  type Agreement,
  applyWalletShipping,
  type WalletShipping,
  type WalletShippingResult,
} from './wallet-shipping.ts'

/** State of a wallet order whose last figures arrived when the buyer may have approved earlier ones. */
export const unconfirmedFigures = 'UNSEEN'

/**
 * Recalculates shipping for a choice in the wallet's window, and updates PayPal. After the approval nothing changes any
 * more; where both crossed, the buyer sees the new total before it is charged. The mark is stored before PayPal is
 * updated: neither a crash nor a concurrent return takes the new figures as approved.
 */
export async function sendWalletShipping(
  tools: Tools,
  session: VisitSession,
  walletOrderId: string,
  change: WalletShipping,
): Promise<WalletShippingResult> {
  const unchanged = (agreed: Agreement) =>
    ({ ok: false, reason: agreed === 'unknown' ? 'unreachable' : 'closed' }) as const
  const mark = (state: string) => setWalletState(tools.db.kysely, walletOrderId, { state })
  const taken = await applyWalletShipping(tools, session, walletOrderId, change, () => agreement(tools, walletOrderId))
  if (!taken.ok) return taken
  await mark(unconfirmedFigures)
  const amended = await amendWallet(tools, taken.order.id, walletOrderId, { options: taken.options })
  const agreed = await agreement(tools, walletOrderId)
  if (!amended || agreed !== 'no') return unchanged(agreed)
  await mark('PAYER_ACTION_REQUIRED')
  return taken
}

async function agreement({ paypal }: Tools, walletOrderId: string): Promise<Agreement> {
  const read = await paypal?.getOrder(walletOrderId)
  if (!read) return 'unknown'
  if (!read.ok) return read.kind === 'refused' ? 'yes' : 'unknown'
  return ['CREATED', 'PAYER_ACTION_REQUIRED', 'SAVED'].includes(read.value.status) ? 'no' : 'yes'
}
