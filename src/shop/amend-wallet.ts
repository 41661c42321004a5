import { transaction } from '#database/connect.ts'
import { appendToLedger } from '#database/ledger.ts'
import { findOrderItems, lockOrder } from '#database/orders.ts'
import { closeAttempt, findAttempts, findCurrentWalletOrder, setWalletState } from '#database/payments.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { sha256 } from './digest.ts'
import { claimAttempt } from './payment-attempt.ts'
import type { Tools } from './tools.ts'
import { orderAsWalletOrder } from './wallet-order.ts'

/**
 * Tells the provider the new figures of an order whose wallet order is open already: the whole unit at once, so that no
 * half state exists. False when the provider does not take it; the order then needs a new wallet order.
 */
export async function amendWallet(tools: Tools, orderId: number, walletOrderId: string): Promise<boolean> {
  const claimed = await transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    const wallet = await findCurrentWalletOrder(tx, orderId)
    if (!order || isPaid(order.payment_state) || wallet?.id !== walletOrderId) return null
    if (wallet.amount === order.total) return { kind: 'same' as const }
    const attempts = (await findAttempts(tx, orderId)).filter(({ step }) => step === 'update')
    const preference = { shippingPreference: 'GET_FROM_FILE', userAction: 'CONTINUE' } as const
    const body = orderAsWalletOrder(tools, order, await findOrderItems(tx, orderId), wallet.revision, preference)
    const call = { step: 'update' as const, walletOrderId: null, amount: order.total, body }
    const claim = await claimAttempt(tools, tx, order, attempts, call)
    return claim.kind === 'busy' || claim.kind === 'done'
      ? null
      : { kind: 'claimed' as const, attempt: claim.attempt, order, body }
  })
  if (!claimed) return false
  if (claimed.kind === 'same') return true

  const { attempt, order, body } = claimed
  const [unit] = body.purchase_units
  try {
    // The buyer's address in the wallet stays as it is: it is where the new figures come from.
    const patched = await tools.paypal?.patchOrder(walletOrderId, [
      { op: 'replace', path: "/purchase_units/@reference_id=='default'", value: unit },
    ])
    const at = tools.clock.now()
    await transaction(tools, async (tx) => {
      await lockOrder(tx, orderId)
      if (patched?.ok) {
        await setWalletState(tx, walletOrderId, { amount: order.total })
        await closeAttempt(tx, attempt.id, {
          state: 'succeeded',
          result: { walletOrder: walletOrderId },
          at,
          walletOrderId,
        })
        const data = { walletOrder: walletOrderId, amount: order.total, currency: order.currency }
        await appendToLedger(tx, orderId, at, [{ kind: 'wallet-order-amended', data }], sha256)
      } else {
        const issue = !patched ? 'no provider is set up' : patched.kind === 'refused' ? patched.issue : patched.reason
        await closeAttempt(tx, attempt.id, { state: 'refused', result: { issue }, at })
      }
    })
    return patched?.ok ?? false
  } finally {
    tools.working.delete(attempt.id)
  }
}
