import type { OrderBody, PatchOperation, PurchaseUnitBody } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { lockOrder } from '#database/orders/orders.ts'
import { closeAttempt, findAttempts, ownsAttempt } from '#database/payments/payments.ts'
import { setWalletState } from '#database/payments/wallet-orders.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { declined, done, type Lease, type PaymentStep } from '../operation/payment-step.ts'
import { recordWalletView } from './wallet-snapshot.ts'

/** `busy`: another call of the same order updates it. */
export type AmendResult = 'told' | 'not-told' | 'busy'

/** A claimed update of a wallet order. */
export type WalletAmendment = Lease & {
  readonly walletOrderId: string
  readonly body: OrderBody
  readonly what: 'figures' | 'address'
  /** Digest of what the wallet order shows after the update. */
  readonly shows: string
}

type Decline = { readonly issue: string }

/**
 * Updates a wallet order. A lost answer counts as a refusal: nothing is captured before PayPal's figures were compared
 * with the order's.
 */
export const patchWalletOrder: PaymentStep<WalletAmendment, null, null, Decline, AmendResult> = {
  call: {
    milestone: 'S8 new figures',
    send: (paypal, { walletOrderId, body, what }) => {
      const [first] = body.purchase_units
      if (!first) throw new Error(`the wallet order ${walletOrderId} has no purchase unit`)
      return paypal.patchOrder(walletOrderId, what === 'address' ? newAddress(first) : newFigures(first))
    },
    read: done,
    readRefusal: ({ issue }) => declined({ issue }),
    recover: async (issue) => declined({ issue }),
  },
  log: { level: 'info', declined: 'wallet order not updated', unknown: 'update of the wallet order unknown' },
  unreachable: (issue) => ({ issue }),
  recordDone: recordAmendment,
  declined: () => 'not-told',
  unknown: () => 'not-told',
}

async function recordAmendment(
  tools: Tools,
  { order, attempt, walletOrderId, what, shows }: WalletAmendment,
): Promise<AmendResult> {
  const at = tools.clock.now()
  return transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    if (!(await ownsAttempt(tx, attempt))) return 'not-told'
    await closeAttempt(tx, attempt.id, {
      state: 'succeeded',
      result: { walletOrder: walletOrderId },
      at,
      walletOrderId,
    })
    await recordWalletView(tx, await findAttempts(tx, order.id), walletOrderId, { [what]: shows })
    if (what === 'address') return 'told'
    await setWalletState(tx, walletOrderId, { amount: order.total })
    const data = { walletOrder: walletOrderId, amount: order.total, currency: order.currency }
    await appendToLedger(tx, order.id, at, [{ kind: 'wallet-order-amended', data }], sha256)
    return 'told'
  })
}

/** Path of the only purchase unit of every wallet order. */
const unit = "/purchase_units/@reference_id=='default'"

function newAddress({ shipping }: PurchaseUnitBody): PatchOperation[] {
  return [
    { op: 'add', path: `${unit}/shipping/name`, value: shipping?.name },
    { op: 'add', path: `${unit}/shipping/address`, value: shipping?.address },
  ]
}

/**
 * Returns the patch that updates a unit's figures, applied all or none. The address stays: the new figures come from
 * it, and an approval may have just set it.
 */
function newFigures({ amount, items, shipping }: PurchaseUnitBody): PatchOperation[] {
  return [
    { op: 'replace', path: `${unit}/amount`, value: amount },
    ...(items ? [{ op: 'add', path: `${unit}/items`, value: items } as const] : []),
    ...(shipping?.options ? [{ op: 'add', path: `${unit}/shipping/options`, value: shipping.options } as const] : []),
  ]
}
