import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { OrderItemRow, OrderRow } from '#database/orders/orders.ts'
import { type AttemptRow, updateAttemptResult } from '#database/payments/payments.ts'
import { purchaseUnit } from '#paypal/wallet-order-body.ts'
import { canonicalJson, sha256 } from '../../shared/digest.ts'
import { opensWallet } from '../operation/payment-attempt.ts'
import { type WalletPresentation, walletFacts } from './wallet-order.ts'

/**
 * What its buyer reads in a wallet order's window, and the provider writes down of the sale. One that shows anything else
 * than the order by now is not handed out again. Digests: an address is personal, and is kept with the order alone.
 */
export type Shown = {
  /** Where the address comes from, what the button promises, and who is asked what shipping costs. */
  readonly window: string
  /** Whom it is sent to, and where. */
  readonly address: string
  /** Lines and what the total is made of. Not the choices of shipping: their costs are asked for anew in the window. */
  readonly figures: string
}

/** Stands for what may be one thing or another, since nobody knows whether the provider was told. */
export const unsure = ''

/** What a wallet order shows that is opened for this order in this way. @throws RangeError when its total cannot be paid by wallet */
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

/** Whether a wallet order is known not to show where its order goes, or may not. */
export function hasOtherWalletAddress(opening: AttemptRow | undefined, order: OrderRow): boolean {
  const shown = opening && shownBy(opening)
  const { shipTo } = walletFacts(order, [], { shippingPreference: 'SET_PROVIDED_ADDRESS' })
  return shown ? shown.address !== digest(shipTo) : false
}

const digest = (value: unknown) => sha256(canonicalJson(value))

/** What the wallet order of an attempt is known to show; null for those from before that was written down. */
export function shownBy({ result }: Pick<AttemptRow, 'result'>): Shown | null {
  const { window, address, figures } = result ?? {}
  if (typeof window !== 'string' || typeof address !== 'string' || typeof figures !== 'string') return null
  return { window, address, figures }
}

export function isSameWalletView(one: Shown, other: Shown): boolean {
  return one.window === other.window && one.address === other.address && one.figures === other.figures
}

/** The call that has opened a wallet order. */
export function openingAttempt(attempts: readonly AttemptRow[], walletOrderId: string): AttemptRow | undefined {
  return attempts.find((attempt) => opensWallet(attempt) && attempt.wallet_order_id === walletOrderId)
}

/** Whether the shop itself has told the provider where its order goes: then the wallet order shows that, in whatever words. */
export function isAddressSent(opening: AttemptRow | undefined, order: OrderRow): boolean {
  return opening !== undefined && shownBy(opening) !== null && !hasOtherWalletAddress(opening, order)
}

/** How what goes to an address of the form is presented. */
export const toAddress = { shippingPreference: 'SET_PROVIDED_ADDRESS', userAction: 'PAY_NOW' } as const

/** Writes down what a wallet order shows from now on. The order's row must be locked. */
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
