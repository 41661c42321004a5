import type { Transaction } from 'kysely'
import type { OrderBody, PurchaseUnitBody } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { findOrderItems, lockOrder, type OrderItemRow, type OrderRow } from '#database/orders/orders.ts'
import { findAttempts } from '#database/payments/payments.ts'
import { findCurrentWalletOrder, findWalletOrder, setWalletState } from '#database/payments/wallet-orders.ts'
import { money } from '#domain/money/money.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import type { ShippingOption } from '#paypal/wallet-order-body.ts'
import { commitWithCheckpoints } from '../../shared/checkpointed-transaction.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import type { Admission } from '../operation/payment-step.ts'
import { runPaymentStep } from '../operation/run-payment-step.ts'
import { type AmendResult, patchWalletOrder, type WalletAmendment } from './patch-wallet-order.ts'
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

/**
 * Updates the shipping address of a wallet order by the form posted after approval: PayPal records where the order is
 * shipped. The figures stay; where they differ by now, nothing is sent.
 */
export async function sendWalletAddress(tools: Tools, order: OrderRow, walletOrderId: string): Promise<void> {
  // Frequent case: the order is paid as its wallet order was opened.
  if (!hasOtherWalletAddress(openingAttempt(await findAttempts(tools.db.kysely, order.id), walletOrderId), order))
    return
  // A second call of the same press, which continued before the update, would find a mismatch: it waits.
  await amend(tools, order.id, walletOrderId, { what: 'address' }, 6_000)
}

type Change = Amendment & { readonly what: 'figures' | 'address' }

function amend(
  tools: Tools,
  orderId: number,
  walletOrderId: string,
  change: Change,
  timeoutMs = 0,
): Promise<AmendResult> {
  return runPaymentStep(tools, patchWalletOrder, (tx) => admitAmendment(tools, tx, orderId, walletOrderId, change), {
    wait: { timeoutMs, pollMs: 100 },
  })
}

async function admitAmendment(
  tools: Tools,
  tx: Transaction<Schema>,
  orderId: number,
  walletOrderId: string,
  { what, options = nothingToChoose, shown }: Change,
): Promise<Admission<WalletAmendment, AmendResult>> {
  const ended = (result: AmendResult) => ({ kind: 'ended', result }) as const
  const order = await lockOrder(tx, orderId)
  const wallet = await findCurrentWalletOrder(tx, orderId)
  if (!order || isPaid(order.payment_state) || wallet?.id !== walletOrderId) return ended('not-told')
  // The currency of a wallet order is fixed.
  if (wallet.currency !== order.currency) return ended('not-told')
  const sameAmount = (shown ?? wallet.amount) === order.total
  if (what === 'figures' && sameAmount && options.length === 0) return ended('told')
  if (what === 'address' && !sameAmount) return ended('not-told')
  const [attempts, items] = await Promise.all([findAttempts(tx, orderId), findOrderItems(tx, orderId)])
  const shows = expectedWalletView(order, items, what === 'address' ? toAddress : preference)[what]
  const isOther = hasOtherWalletAddress(openingAttempt(attempts, walletOrderId), order)
  if (what === 'address' && !isOther) return ended('told')
  const shippingOptions = options.length > 0 ? options : settledOption(order, items)
  const presentation = what === 'address' ? toAddress : { ...preference, shippingOptions }
  const body = await orderAsWalletOrder(tools, order, items, wallet.revision, presentation)
  return {
    kind: 'admitted',
    order,
    call: { step: 'update', walletOrderId: null, amount: order.total, body },
    lease: { latestOf: attempts.filter(({ step }) => step === 'update') },
    work: async (lease) => {
      await recordWalletView(tx, attempts, walletOrderId, { [what]: unsure })
      return { ...lease, walletOrderId, body, what, shows }
    },
    busy: 'busy',
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
