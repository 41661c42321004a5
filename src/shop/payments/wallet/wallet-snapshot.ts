import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { OrderItemRow, OrderRow } from '#database/orders/orders.ts'
import { type AttemptRow, updateAttemptResult } from '#database/payments/payments.ts'
import { purchaseUnit } from '#paypal/wallet-order-body.ts'
import { canonicalJson, sha256 } from '../../shared/digest.ts'
import { opensWallet } from '../operation/payment-attempt.ts'
import { type WalletPresentation, walletFacts } from './wallet-order.ts'

/**
 * Digests of the content that a wallet order shows to its buyer and PayPal records. A wallet order with other content
 * than the order is not handed out again. Digests only: an address is personal data, stored with the order alone.
 */
export type Shown = {
  /** Source of the address, promise of the button, and use of the shipping callback. */
  readonly window: string
  /** Recipient and address. */
  readonly address: string
  /** Lines and composition of the total, without shipping options: their costs are requested anew in the window. */
  readonly figures: string
}

/** Marks a value that is unknown, since PayPal may or may not have received the update. */
export const unsure = ''

/**
 * Returns the content of a wallet order opened for this order. @throws RangeError when its total cannot be paid by
 * wallet
 */
export function expectedWalletView(
  order: OrderRow,
  items: readonly OrderItemRow[],
  presentation: WalletPresentation,
): Shown {
  const { shippingPreference, userAction, requestShopUpdate = false } = presentation
  const facts = walletFacts(order, items, { shippingPreference })
  const { amount, items: lines } = purchaseUnit({ ...facts, invoiceId: '', description: '' })
  return {
    window: `${shippingPreference}:${userAction}${requestShopUpdate ? ':ask' : ''}`,
    address: digest(facts.shipTo),
    figures: digest([amount, lines ?? null]),
  }
}

/** Reports whether a wallet order shows, or may show, another address than the order's. */
export function hasOtherWalletAddress(opening: AttemptRow | undefined, order: OrderRow): boolean {
  const shown = opening && shownBy(opening)
  const { shipTo } = walletFacts(order, [], { shippingPreference: 'SET_PROVIDED_ADDRESS' })
  return shown ? shown.address !== digest(shipTo) : false
}

const digest = (value: unknown) => sha256(canonicalJson(value))

/** Returns the recorded content of an attempt's wallet order; null for attempts from before it was recorded. */
export function shownBy({ result }: Pick<AttemptRow, 'result'>): Shown | null {
  const { window, address, figures } = result ?? {}
  if (typeof window !== 'string' || typeof address !== 'string' || typeof figures !== 'string') return null
  return { window, address, figures }
}

export function isSameWalletView(one: Shown, other: Shown): boolean {
  return one.window === other.window && one.address === other.address && one.figures === other.figures
}

/** Finds the attempt that opened a wallet order. */
export function openingAttempt(attempts: readonly AttemptRow[], walletOrderId: string): AttemptRow | undefined {
  return attempts.find((attempt) => opensWallet(attempt) && attempt.wallet_order_id === walletOrderId)
}

/** Reports whether the shop sent the order's address to PayPal: the wallet order shows it, perhaps rewritten. */
export function isAddressSent(opening: AttemptRow | undefined, order: OrderRow): boolean {
  return opening !== undefined && shownBy(opening) !== null && !hasOtherWalletAddress(opening, order)
}

/** Presentation of an order that is shipped to an address of the form. */
export const toAddress = { shippingPreference: 'SET_PROVIDED_ADDRESS', userAction: 'PAY_NOW' } as const

/** Records the content of a wallet order. The order's row must be locked. */
export async function recordWalletView(
  tx: Transaction<Schema>,
  attempts: readonly AttemptRow[],
  walletOrderId: string,
  change: Partial<Shown>,
): Promise<void> {
  const opening = openingAttempt(attempts, walletOrderId)
  const before = opening && shownBy(opening)
  if (!opening || !before || isSameWalletView(before, { ...before, ...change })) return
  await updateAttemptResult(tx, opening.id, { ...opening.result, ...change })
}
