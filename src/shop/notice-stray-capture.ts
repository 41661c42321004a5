import type { Capture } from '#contract/paypal/capture.ts'
import { transaction } from '#database/connect.ts'
import { appendToLedger } from '#database/ledger.ts'
import { addOrderNote, lockOrder, updateOrder } from '#database/orders.ts'
import { findCaptures, insertCapture, setWalletState, type WalletOrderName } from '#database/payments.ts'
import { fromAmount } from '#paypal/amounts.ts'
import { sha256 } from './digest.ts'
import { noteHoldTaken } from './hold-once-taken.ts'
import type { Tools } from './tools.ts'

/**
 * Looks whether the provider took money under a wallet order that the shop does not count on: an outdated one, or one of an
 * order that was cancelled or paid otherwise. Such money is neither accepted nor sent back: a person is shown it.
 */
export async function noticeStrayCapture(
  tools: Tools,
  wallet: WalletOrderName,
): Promise<'none' | 'attention' | 'unreachable'> {
  const known = await findCaptures(tools.db.kysely, wallet.order_id)
  if (known.some((capture) => capture.wallet_order_id === wallet.id)) return 'none'
  const read = await tools.paypal?.getOrder(wallet.id)
  if (!read?.ok) return read?.kind === 'refused' && read.status === 404 ? 'none' : 'unreachable'
  const captures = read.value.purchase_units?.flatMap(({ payments }) => payments?.captures ?? []) ?? []
  const stray = captures.find(({ status }) => status === 'COMPLETED' || status === 'PENDING')
  if (!stray) return 'none'
  await record(tools, wallet, stray)
  tools.log.error({ orderId: wallet.order_id, capture: stray.id }, 'money came that no order expects')
  return 'attention'
}

async function record(tools: Tools, wallet: WalletOrderName, stray: Capture): Promise<void> {
  const now = tools.clock.now()
  const orderId = wallet.order_id
  await transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    const captures = await findCaptures(tx, orderId)
    if (!order || captures.some(({ id }) => id === stray.id)) return
    const isSecond = captures.some(({ status }) => status !== 'DECLINED' && status !== 'FAILED')
    const why = isSecond ? 'money was taken a second time' : `money was taken for an order that is ${order.status}`
    if (order.attention?.includes(stray.id)) return
    // The table holds one successful capture of an order; a second one stands in the ledger and in the note.
    if (!isSecond) {
      await insertCapture(tx, {
        id: stray.id,
        order_id: orderId,
        wallet_order_id: wallet.id,
        status: stray.status,
        amount: fromAmount(stray.amount)?.minor ?? 0,
        currency: stray.amount.currency_code,
        environment: tools.paymentEnvironment,
        fee: null,
        captured_at: now,
      })
    }
    await setWalletState(tx, wallet.id, { state: 'COMPLETED' })
    await noteHoldTaken(tx, wallet, stray)
    const attention = `${why} (capture ${stray.id})`
    await updateOrder(tx, orderId, { payment_state: 'attention', attention, updated_at: now })
    await addOrderNote(tx, orderId, `Needs attention: ${attention}.`, now)
    const data = { capture: stray.id, walletOrder: wallet.id, why }
    await appendToLedger(tx, orderId, now, [{ kind: 'needs-attention', data }], sha256)
  })
}
