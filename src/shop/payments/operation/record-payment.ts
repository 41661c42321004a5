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

/** Writes down what a wallet order shows of an order's money, taken or held, and says what it has come to. */
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
      // Of held money it is the merchant who failed to get it.
      if (order.payment_state !== 'authorised')
        await countFailedPayment(tools, order, cardFingerprint(confirmedCardIn(wallet)))
      return { ok: false, reason: 'declined', order, issue: 'CAPTURE_DECLINED' }
    case 'attention':
      return { ok: false, reason: 'attention', order }
  }
}
