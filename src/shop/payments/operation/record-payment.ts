import type { WalletOrder } from '#contract/paypal/order.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import type { AttemptRow } from '#database/payments/payments.ts'
import type { WalletOrderRow } from '#database/payments/wallet-orders.ts'
import type { Tools } from '../../shared/tools.ts'
import { cardFingerprint, countFailedPayment } from '../cards/limit-failed-payments.ts'
import { captureIn, confirmedCardIn } from '../wallet/read-wallet-order.ts'
import type { FinishResult } from './payment-result.ts'
import { recordAuthorization } from './record-authorization.ts'
import { recordCapture } from './record-capture.ts'

/** Records the capture or authorization that a wallet order shows, and returns the result. */
export async function recordMoney(
  tools: Tools,
  claimed: { order: OrderRow; wallet: WalletOrderRow; attempt: AttemptRow },
  wallet: WalletOrder,
): Promise<FinishResult> {
  const { order, outcome } = captureIn(wallet)
    ? await recordCapture(tools, claimed, wallet)
    : await recordAuthorization(tools, claimed, wallet)
  switch (outcome) {
    case 'captured':
      return { ok: true, state: 'paid', order }
    case 'held':
    case 'review':
      return { ok: true, state: outcome, order }
    case 'failed':
      // For an authorized order it is the merchant's capture that failed.
      if (order.payment_state !== 'authorised')
        await countFailedPayment(tools, order, cardFingerprint(confirmedCardIn(wallet)))
      return { ok: false, reason: 'declined', order, issue: 'CAPTURE_DECLINED' }
    case 'attention':
      return { ok: false, reason: 'attention', order }
  }
}
