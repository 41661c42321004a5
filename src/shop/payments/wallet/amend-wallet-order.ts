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

/** What the wallet is told besides the figures, while its window is open. */
const nothingToChoose: readonly ShippingOption[] = []
const preference = { shippingPreference: 'GET_FROM_FILE', userAction: 'CONTINUE' } as const

type Amendment = {
  readonly options?: readonly ShippingOption[]
  /** The amount that the provider is known to have, where that is known better than from our own row. */
  readonly shown?: number
}

/**
 * Tells the provider the new figures of an order whose wallet order is open already: amount, items and choices at once, so
 * that no half state exists. False when the provider does not take it; the order then needs a new wallet order.
 */
export async function amendWallet(
  tools: Tools,
  orderId: number,
  walletOrderId: string,
  amendment: Amendment = {},
): Promise<boolean> {
  return (await amend(tools, orderId, walletOrderId, { what: 'figures', ...amendment })) === 'told'
}

const patienceMs = 6_000
const pollMs = 100

/**
 * Tells the provider where an order goes by the form that its shopper has sent after approval: what it records of the sale is
 * what is shipped. Its figures stay what they are; where they are others by now, nothing is told.
 */
export async function sendWalletAddress(tools: Tools, order: OrderRow, walletOrderId: string): Promise<void> {
  // What nearly every order comes to: it is paid as its wallet order was opened.
  if (!hasOtherWalletAddress(openingAttempt(await findAttempts(tools.db.kysely, order.id), walletOrderId), order))
    return
  // The same press sent twice: whoever went on before it is told would find that the two do not fit.
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += pollMs) {
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
    // A wallet order keeps its currency.
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
        const issue = !patched ? 'no provider is set up' : patched.kind === 'refused' ? patched.issue : patched.reason
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
 * Writes down the figure that the provider was seen to show, where it is another than the one that it is known to have been
 * told: the process that told it has died before it could say so.
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

/** The way of shipping that the order has come to, alone: what was selected before must not stand beside another figure. */
function settledOption(order: OrderRow, items: readonly OrderItemRow[]): ShippingOption[] {
  const ways = items.filter(({ type }) => type === 'shipping')
  if (ways.length === 0) return []
  const label = ways.map(({ name }) => name).join(', ')
  return [{ id: 'settled', label, cost: money(order.shipping_total, order.currency), selected: true, pickup: false }]
}

/** Every wallet order of ours has this one. */
const unit = "/purchase_units/@reference_id=='default'"

function newAddress({ shipping }: PurchaseUnitBody): PatchOperation[] {
  return [
    { op: 'add', path: `${unit}/shipping/name`, value: shipping?.name },
    { op: 'add', path: `${unit}/shipping/address`, value: shipping?.address },
  ]
}

/**
 * The changes that bring a unit's figures up to date, carried out all or none. The buyer's address is left alone: it is where the new
 * figures come from, and an approval may have set it a moment ago.
 */
function newFigures({ amount, items, shipping }: PurchaseUnitBody): PatchOperation[] {
  return [
    { op: 'replace', path: `${unit}/amount`, value: amount },
    ...(items ? [{ op: 'add', path: `${unit}/items`, value: items } as const] : []),
    ...(shipping?.options ? [{ op: 'add', path: `${unit}/shipping/options`, value: shipping.options } as const] : []),
  ]
}

/**
 * The new figures of an order for the provider that asks for them itself: what it is answered here it puts into its own
 * order. Null when the order is not open any more.
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
    // Should this answer be lost, the provider keeps the old figure, and the two are compared before money is taken.
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
