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

/** Our word for a wallet order whose last figures came when the buyer may have agreed to the ones before. */
export const unconfirmedFigures = 'UNSEEN'

/**
 * Works shipping out anew for a choice in the wallet's window, and tells the provider. A buyer can agree while the page is
 * still being asked: once that has happened nothing changes any more, and where the two crossed the buyer is shown the new
 * total before it is charged. That is written down before the provider is told, so that neither a crash nor a return which
 * comes meanwhile takes the new figures for agreed.
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
