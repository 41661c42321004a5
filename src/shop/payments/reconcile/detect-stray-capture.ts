import type { Authorization, Capture } from '#contract/paypal/capture.ts'
import { transaction } from '#database/engine/connect.ts'
import { lockOrder } from '#database/orders/orders.ts'
import {
  type CaptureRow,
  findAuthorizations,
  findCapture,
  findCaptures,
  findUnsettledCapture,
  insertCapture,
  setAuthorizationStatus,
} from '#database/payments/payments.ts'
import { setWalletState, type WalletOrderName } from '#database/payments/wallet-orders.ts'
import { isDenied } from '#domain/payments/money-status.ts'
import { fromAmount } from '#paypal/amounts.ts'
import type { Tools } from '../../shared/tools.ts'
import { flagForReview } from '../operation/flag-for-review.ts'
import { importProviderRefunds } from '../refund/match-provider-refunds.ts'

/**
 * Finds captures under a wallet order that the shop does not expect: an outdated one, or one of an order that was
 * cancelled or paid otherwise. Such money is neither accepted nor refunded, but flagged for review, unless it is
 * already refunded.
 * @param captureId the capture that was reported; nothing is read where it is known
 */
export async function flagStrayCapture(
  tools: Tools,
  wallet: WalletOrderName,
  captureId?: string,
): Promise<'none' | 'attention' | 'unreachable'> {
  const known = await findCaptures(tools.db.kysely, wallet.order_id)
  const isKnown = (capture: CaptureRow) =>
    captureId ? capture.id === captureId : capture.wallet_order_id === wallet.id
  if (known.some(isKnown)) return 'none'
  // While a capture attempt is unsettled, its end records the captured money.
  if (await findUnsettledCapture(tools.db.kysely, wallet.order_id)) return 'unreachable'
  const read = await tools.paypal?.getOrder(wallet.id)
  if (!read?.ok) return read?.kind === 'refused' && read.status === 404 ? 'none' : 'unreachable'
  const captures = read.value.purchase_units?.flatMap(({ payments }) => payments?.captures ?? []) ?? []
  const strays = captures.filter((capture) => !isDenied(capture) && !known.some(({ id }) => id === capture.id))
  const holds = read.value.purchase_units?.flatMap(({ payments }) => payments?.authorizations ?? []) ?? []
  for (const stray of strays) {
    await recordStray(tools, wallet, stray, holds)
    tools.log.error({ orderId: wallet.order_id, capture: stray.id }, 'unexpected capture')
    const row = await findCapture(tools.db.kysely, stray.id)
    // The webhooks of the refund and of its capture arrive in any order.
    if (row && (await importProviderRefunds(tools, row)) === 'unreachable') return 'unreachable'
  }
  return strays.length > 0 ? 'attention' : 'none'
}

async function recordStray(
  tools: Tools,
  wallet: WalletOrderName,
  stray: Capture,
  holds: readonly Authorization[],
): Promise<void> {
  const now = tools.clock.now()
  const orderId = wallet.order_id
  await transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    const captures = await findCaptures(tx, orderId)
    if (!order || captures.some(({ id }) => id === stray.id)) return
    const isSecond = captures.some((capture) => !isDenied(capture))
    const why = isSecond ? 'money was taken a second time' : `money was taken for an order that is ${order.status}`
    const amount = fromAmount(stray.amount)?.minor ?? 0
    const currency = stray.amount.currency_code
    await insertCapture(tx, {
      id: stray.id,
      order_id: orderId,
      wallet_order_id: wallet.id,
      // Refunds of it are recorded one by one.
      status: stray.status === 'PENDING' ? 'PENDING' : 'COMPLETED',
      amount,
      currency,
      environment: tools.paymentEnvironment,
      fee: null,
      captured_at: now,
      stray: isSecond,
    })
    await setWalletState(tx, wallet.id, { state: 'COMPLETED' })
    // The merchant captured part of an authorization at PayPal: its rest cannot be voided, and expires.
    const before = await findAuthorizations(tx, orderId)
    for (const { id, status } of holds) {
      const isCaptured = status === 'CAPTURED' || status === 'PARTIALLY_CAPTURED'
      if (isCaptured && before.some((held) => held.id === id)) await setAuthorizationStatus(tx, id, status)
    }
    // Reported already, by a shop version that kept no row of second payments.
    if (order.attention?.includes(stray.id)) return
    const reason = `${why} (capture ${stray.id})`
    const earlier = order.payment_state === 'attention' ? order.attention : null
    const attention = earlier ? `${earlier}; ${reason}` : reason
    const data = { capture: stray.id, walletOrder: wallet.id, amount, currency }
    await flagForReview(tx, orderId, why, now, { subject: `capture ${stray.id}`, attention, data })
  })
}
