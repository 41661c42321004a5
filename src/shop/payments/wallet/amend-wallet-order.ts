import type { OrderBody, PatchOperation, PurchaseUnitBody } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { findOrderItems, lockOrder, type OrderItemRow, type OrderRow } from '#database/orders/orders.ts'
import { closeAttempt, findAttempts } from '#database/payments/payments.ts'
import { findCurrentWalletOrder, findWalletOrder, setWalletState } from '#database/payments/wallet-orders.ts'
import { money } from '#domain/money/money.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import type { ShippingOption } from '#paypal/wallet-order-body.ts'
import { commitWithCheckpoints } from '../../shared/checkpointed-transaction.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { claimAttempt } from '../operation/payment-attempt.ts'
import { orderAsWalletOrder } from './wallet-order.ts'
import {
  expectedWalletView,
  hasOtherWalletAddress,
  openingAttempt,
  recordWalletView,
  toAddress,
  unsure,
} from './wallet-snapshot.ts'

/** Empty shipping options, for updates of the figures while the wallet's window is open. */
const nothingToChoose: readonly ShippingOption[] = []
const preference = { shippingPreference: 'GET_FROM_FILE', userAction: 'CONTINUE' } as const

type Amendment = {
  readonly options?: readonly ShippingOption[]
  /** Amount that PayPal shows, where it is known better than from the shop's row. */
  readonly shown?: number
}

/**
 * Updates the figures of an open wallet order: amount, items and shipping options in one call, never a half state.
 * @returns false where PayPal refuses them; the order then needs a new wallet order
 */
export async function amendWallet(
  tools: Tools,
  orderId: number,
  walletOrderId: string,
  amendment: Amendment = {},
): Promise<boolean> {
  return (await amend(tools, orderId, walletOrderId, { what: 'figures', ...amendment })) === 'told'
}

const timeoutMs = 6_000
const pollMs = 100

/**
 * Updates the shipping address of a wallet order by the form posted after approval: PayPal records where the order is
 * shipped. The figures stay; where they differ by now, nothing is sent.
 */
export async function sendWalletAddress(tools: Tools, order: OrderRow, walletOrderId: string): Promise<void> {
  // Frequent case: the order is paid as its wallet order was opened.
  if (!hasOtherWalletAddress(openingAttempt(await findAttempts(tools.db.kysely, order.id), walletOrderId), order))
    return
  // A second call of the same press, which continued before the update, would find a mismatch.
  for (let waitedMs = 0; waitedMs <= timeoutMs; waitedMs += pollMs) {
    if ((await amend(tools, order.id, walletOrderId, { what: 'address' })) !== 'busy') return
    await tools.clock.sleep(pollMs)
  }
}

async function amend(
  tools: Tools,
  orderId: number,
  walletOrderId: string,
  { what, options = nothingToChoose, shown }: Amendment & { what: 'figures' | 'address' },
): Promise<'told' | 'not-told' | 'busy'> {
  const claimed = await transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    const wallet = await findCurrentWalletOrder(tx, orderId)
    if (!order || isPaid(order.payment_state) || wallet?.id !== walletOrderId) return null
    // The currency of a wallet order is fixed.
    if (wallet.currency !== order.currency) return null
    const sameAmount = (shown ?? wallet.amount) === order.total
    if (what === 'figures' && sameAmount && options.length === 0) return { kind: 'same' as const }
    if (what === 'address' && !sameAmount) return null
    const [attempts, items] = await Promise.all([findAttempts(tx, orderId), findOrderItems(tx, orderId)])
    const now = expectedWalletView(order, items, what === 'address' ? toAddress : preference)
    const isOther = hasOtherWalletAddress(openingAttempt(attempts, walletOrderId), order)
    if (what === 'address' && !isOther) return { kind: 'same' as const }
    const shippingOptions = options.length > 0 ? options : settledOption(order, items)
    const presentation = what === 'address' ? toAddress : { ...preference, shippingOptions }
    const body = await orderAsWalletOrder(tools, order, items, wallet.revision, presentation)
    const call = { step: 'update' as const, walletOrderId: null, amount: order.total, body }
    const updates = attempts.filter(({ step }) => step === 'update')
    const claim = await claimAttempt(tools, tx, order, updates, call)
    if (claim.kind === 'busy') return { kind: 'busy' as const }
    if (claim.kind === 'done') return null
    await recordWalletView(tx, attempts, walletOrderId, { [what]: unsure })
    tools.checkpoint('S8 new figures before commit')
    return { kind: 'claimed' as const, attempt: claim.attempt, order, body, shows: now[what] }
  })
  if (!claimed) return 'not-told'
  if (claimed.kind === 'busy') return 'busy'
  if (claimed.kind === 'same') return 'told'

  const { attempt, order, body, shows } = claimed
  const [unit] = body.purchase_units
  const changes = unit ? (what === 'address' ? newAddress(unit) : newFigures(unit)) : []
  tools.checkpoint('S8 new figures attempt written')
  try {
    const patched = changes.length > 0 ? await tools.paypal?.patchOrder(walletOrderId, changes) : undefined
    tools.checkpoint('S8 new figures called')
    const at = tools.clock.now()
    await transaction(tools, async (tx) => {
      await lockOrder(tx, orderId)
      if (patched?.ok) {
        await closeAttempt(tx, attempt.id, {
          state: 'succeeded',
          result: { walletOrder: walletOrderId },
          at,
          walletOrderId,
        })
        await recordWalletView(tx, await findAttempts(tx, orderId), walletOrderId, { [what]: shows })
        if (what === 'address') return
        await setWalletState(tx, walletOrderId, { amount: order.total })
        const data = { walletOrder: walletOrderId, amount: order.total, currency: order.currency }
        await appendToLedger(tx, orderId, at, [{ kind: 'wallet-order-amended', data }], sha256)
      } else {
        const issue = !patched
          ? 'PayPal is not configured'
          : patched.kind === 'refused'
            ? patched.issue
            : patched.reason
        await closeAttempt(tx, attempt.id, { state: 'refused', result: { issue }, at })
      }
    })
    tools.checkpoint('S8 new figures recorded')
    return patched?.ok ? 'told' : 'not-told'
  } finally {
    tools.working.delete(attempt.id)
  }
}

/**
 * Records the total that PayPal shows where it differs from the recorded one: a crash came between update and record.
 * @param shown in minor units of the order's currency
 */
export async function recordShownTotal(
  tools: Tools,
  orderId: number,
  walletOrderId: string,
  shown: number,
): Promise<void> {
  const known = await findWalletOrder(tools.db.kysely, walletOrderId)
  if (known?.amount === shown) return
  await transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    const wallet = await findWalletOrder(tx, walletOrderId)
    if (!order || !wallet || wallet.amount === shown) return
    await setWalletState(tx, walletOrderId, { amount: shown })
    const data = { walletOrder: walletOrderId, amount: shown, currency: wallet.currency }
    await appendToLedger(tx, orderId, tools.clock.now(), [{ kind: 'wallet-order-amended', data }], sha256)
  })
}

/** Returns only the chosen shipping option: an earlier selection must not appear with a new total. */
function settledOption(order: OrderRow, items: readonly OrderItemRow[]): ShippingOption[] {
  const ways = items.filter(({ type }) => type === 'shipping')
  if (ways.length === 0) return []
  const label = ways.map(({ name }) => name).join(', ')
  return [{ id: 'settled', label, cost: money(order.shipping_total, order.currency), selected: true, pickup: false }]
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

/**
 * Returns the new figures of an order for PayPal's shipping callback, which applies the response to its own order.
 * Returns null where the order is not open any more.
 */
export async function walletOrderUpdate(
  tools: Tools,
  orderId: number,
  walletOrderId: string,
  options: readonly ShippingOption[],
): Promise<PurchaseUnitBody | null> {
  const now = tools.clock.now()
  return commitWithCheckpoints(tools, 'S8 answer', async (tx) => {
    const order = await lockOrder(tx, orderId)
    const wallet = await findCurrentWalletOrder(tx, orderId)
    if (!order || isPaid(order.payment_state) || wallet?.id !== walletOrderId) return null
    if (wallet.currency !== order.currency) return null
    const items = await findOrderItems(tx, orderId)
    const presentation = { ...preference, shippingOptions: options }
    const body: OrderBody = await orderAsWalletOrder(tools, order, items, wallet.revision, presentation)
    // If this response is lost, PayPal keeps the old total, and the two are compared before the capture.
    const { figures } = expectedWalletView(order, items, preference)
    await recordWalletView(tx, await findAttempts(tx, orderId), walletOrderId, { figures })
    if (wallet.amount !== order.total) {
      await setWalletState(tx, walletOrderId, { amount: order.total })
      const data = { walletOrder: walletOrderId, amount: order.total, currency: order.currency }
      await appendToLedger(tx, orderId, now, [{ kind: 'wallet-order-amended', data }], sha256)
    }
    return body.purchase_units[0] ?? null
  })
}
