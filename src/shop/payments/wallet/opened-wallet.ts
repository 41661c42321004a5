import type { WalletOrder } from '#contract/paypal/order.ts'
import type { NewRow } from '#database/engine/schema/schema.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import type { AttemptRow } from '#database/payments/payments.ts'
import type { Tools } from '../../shared/tools.ts'

/** Returns the row of a wallet order that PayPal opened for an attempt; its content is that of the attempt. */
export function openedWallet(
  tools: Pick<Tools, 'paymentEnvironment' | 'clock'>,
  order: Pick<OrderRow, 'id' | 'session_id' | 'payment_method'>,
  {
    attempt,
    wallet,
    url,
    intent,
    at = tools.clock.now(),
  }: {
    readonly attempt: Pick<AttemptRow, 'revision' | 'amount' | 'currency'>
    readonly wallet: WalletOrder
    /** Where the shopper approves it; '' for none. */
    readonly url: string
    readonly intent: NewRow<'wallet_orders'>['intent']
    readonly at?: Date
  },
): NewRow<'wallet_orders'> {
  return {
    id: wallet.id,
    order_id: order.id,
    revision: attempt.revision,
    session_id: order.session_id,
    environment: tools.paymentEnvironment,
    payee: wallet.purchase_units?.[0]?.payee?.merchant_id ?? '',
    amount: attempt.amount,
    currency: attempt.currency,
    state: wallet.status,
    approve_url: url,
    intent,
    method: order.payment_method,
    created_at: at,
  }
}
