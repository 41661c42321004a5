import type { Capture } from '#contract/paypal/capture.ts'
import type { WalletOrder } from '#contract/paypal/order.ts'
import type { OrderRow } from '#database/orders.ts'
import type { WalletOrderRow } from '#database/payments.ts'
import { type Judgement, judgeCapture } from '#domain/payments/judge-capture.ts'
import { fromAmount } from '#paypal/amounts.ts'
import type { Tools } from './tools.ts'

/** The capture in a wallet order that counts: a successful one before any other, else the last. */
export function captureIn(wallet: WalletOrder): Capture | undefined {
  const captures = wallet.purchase_units?.flatMap((unit) => unit.payments?.captures ?? []) ?? []
  return captures.find(({ status }) => status === 'COMPLETED') ?? captures.at(-1)
}

/** The shop's order id that the provider keeps with a wallet order, '' if none. */
export function customIdIn(wallet: WalletOrder): string {
  return wallet.purchase_units?.[0]?.custom_id ?? ''
}

/**
 * Whether an approved wallet order still asks for what the shop's order says: the order's own reference, amount and
 * currency. Checked before money is taken.
 */
export function walletMatches(order: OrderRow, wallet: WalletOrder): boolean {
  const unit = wallet.purchase_units?.[0]
  const amount = unit?.amount && fromAmount(unit.amount)
  return (
    wallet.purchase_units?.length === 1 &&
    customIdIn(wallet) === String(order.id) &&
    amount !== undefined &&
    amount.minor === order.total &&
    amount.currency === order.currency
  )
}

/** What a capture, as read from the provider, means for the order. */
export function judge(
  tools: Tools,
  order: OrderRow,
  row: WalletOrderRow,
  wallet: WalletOrder,
  capture: Capture,
): Judgement {
  const amount = fromAmount(capture.amount)
  return judgeCapture(
    {
      orderId: order.id,
      amountMinor: order.total,
      currency: order.currency,
      environment: row.environment,
      payee: row.payee,
    },
    {
      customId: capture.custom_id ?? customIdIn(wallet),
      status: capture.status,
      amountMinor: amount?.minor ?? -1,
      currency: capture.amount.currency_code,
      environment: tools.paymentEnvironment,
      payee: capture.payee?.merchant_id ?? wallet.purchase_units?.[0]?.payee?.merchant_id ?? '',
    },
  )
}
