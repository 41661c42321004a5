import type { Transaction } from 'kysely'
import { takeCouponUses } from '#database/coupons/coupons.ts'
import { keepAddresses, keepLanguage } from '#database/customers/customers.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { announceChange } from '#database/operations/announce-change.ts'
import { appendToLedger, emptyLedger, type LedgerEvent } from '#database/orders/ledger.ts'
import {
  insertOrder,
  lockOpenOrders,
  lockOrderOfIntention,
  lockVisitorsOrders,
  type OrderRow,
  replaceOrderItems,
  updateOrder,
} from '#database/orders/orders.ts'
import { findUnsettledCapture } from '#database/payments/payments.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { lineName } from '#domain/orders/line-name.ts'
import type { OrderAttribution } from '../attribution/attribution-intake.ts'
import type { Quote } from '../cart/quote.ts'
import type { AddressState } from '../customers/sessions/session-state.ts'
import { abandonOrder } from '../orders/abandon-order.ts'
import { orderFigures, orderItems } from '../orders/order-from-quote.ts'
import { reserveOrderStock, type StockShortage } from '../orders/reserve-order-stock.ts'
import { type PreparedWalletOrder, prepareWalletOrder } from '../payments/wallet/start-wallet.ts'
import type { WalletPresentation } from '../payments/wallet/wallet-order.ts'
import { sha256 } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { currentLanguage } from '../translation/localize-facts.ts'
import type { AgreedTerms } from './agreed-terms.ts'

export type PlaceOrder = {
  sessionId: string
  customerId: number | null
  /** One press on "pay" on one confirmation screen, on every repeat. */
  intention: string
  quote: Quote
  billing: AddressState
  shipping: AddressState
  customerNote: string
  paymentMethod: { id: string; title: string }
  customerIp: string
  customerUserAgent: string
  createdVia: 'checkout' | 'wallet' | 'rest-api'
  /** Null: the request has none, and an earlier value stays. */
  attribution: OrderAttribution | null
  /** Null: likewise. */
  terms: AgreedTerms | null
  /** Further columns, of an order that a program creates. */
  columns?: { meta_data: Record<string, unknown>; transaction_id: string | null }
}

export type PlaceOrderResult =
  /** `preparedWallet`: the attempt of its wallet order, where it was requested and the order is new. */
  | { ok: true; order: OrderRow; preparedWallet?: PreparedWalletOrder }
  | { ok: false; reason: 'cart-empty' }
  /** Paid, accepted for payment on delivery, or in manual review with money received. */
  | { ok: false; reason: 'already-paid'; order: OrderRow }
  /** Another request or tab is paying an order of this visitor, perhaps of another cart. */
  | { ok: false; reason: 'being-paid'; order: OrderRow }
  | { ok: false; reason: 'sold-out'; shortage: StockShortage }
  | { ok: false; reason: 'coupon-used-up'; code: string }

/**
 * Places the pending order of an intention, with fixed figures and reserved stock. The same intention returns the same
 * order, updated; the visitor's order of an earlier cart is cancelled, so that only one can be paid.
 * @param wallet presentation of the wallet order where it is opened next: one transaction records both
 */
export async function placeOrder(
  tools: Tools,
  wanted: PlaceOrder,
  wallet?: WalletPresentation,
): Promise<PlaceOrderResult> {
  if (wanted.quote.lines.length === 0) return { ok: false, reason: 'cart-empty' }
  // A refusal must change nothing: it rolls the transaction back.
  const result = await transaction(tools, (tx) => place(tools, tx, wanted, wallet)).catch((error: unknown) => {
    if (error instanceof Refusal) return error.result
    throw error
  })
  if (result.ok) tools.checkpoint('S5 after commit')
  return result
}

class Refusal extends Error {
  readonly result: PlaceOrderResult & { ok: false }
  constructor(result: PlaceOrderResult & { ok: false }) {
    super(result.reason)
    this.result = result
  }
}

async function place(
  tools: Tools,
  tx: Transaction<Schema>,
  wanted: PlaceOrder,
  wallet: WalletPresentation | undefined,
): Promise<PlaceOrderResult> {
  const { quote } = wanted
  const now = tools.clock.now()
  const [, named, open] = await Promise.all([
    // Two concurrent requests of one visitor without an order would each place one.
    lockVisitorsOrders(tx, [wanted.sessionId]),
    lockOrderOfIntention(tx, wanted.sessionId, wanted.intention),
    lockOpenOrders(tx, wanted.sessionId),
  ])
  if (named && !isWaiting(named)) return { ok: false, reason: 'already-paid', order: named }
  // The currency of an order is fixed: another currency is another order, and this one is cancelled below.
  const existing = named?.currency === quote.currency ? named : undefined
  // While a capture is unsettled, no other order of the visitor may be paid.
  for (const order of open) {
    if (await findUnsettledCapture(tx, order.id)) return { ok: false, reason: 'being-paid', order }
  }
  for (const order of open) {
    if (order.id === existing?.id) continue
    const ended = await abandonOrder(tools, tx, order, 'The cart was changed and ordered anew.')
    if (!ended && order.id === named?.id) return { ok: false, reason: 'being-paid', order }
  }

  // Emails use the language of the last placement.
  const language = await currentLanguage(tools)
  const figures = { ...orderFigures(wanted), ...wanted.columns, language, status: 'pending' as const, updated_at: now }
  const isNew = !existing
  const isFirst = isNew || existing.status === 'checkout-draft'
  const order = existing
    ? { ...existing, ...figures }
    : await insertOrder(tx, {
        ...figures,
        key: `wc_order_${tools.chance.alphanumeric(22)}`,
        payment_state: wallet ? 'pending' : 'none',
        session_id: wanted.sessionId,
        intention: wanted.intention,
        created_at: now,
      })
  const [, items, shortage] = await Promise.all([
    isNew ? null : updateOrder(tx, order.id, figures),
    replaceOrderItems(tx, order.id, orderItems(quote), isNew),
    reserveOrderStock(tools, tx, { id: order.id, isNew }, quantitiesByStock(quote)),
  ])
  if (shortage) throw new Refusal({ ok: false, reason: 'sold-out', shortage })
  // A draft was not announced when it was inserted.
  if (isFirst && !isNew) await announceChange(tx, 'order.created', order.id)

  if (quote.coupons.length > 0 || !isNew) {
    const ids = quote.coupons.map(({ id }) => id)
    const usedUp = await takeCouponUses(tx, order.id, ids, emailIdentity(wanted.billing.email))
    const coupon = quote.coupons.find(({ id }) => id === usedUp)
    if (coupon) throw new Refusal({ ok: false, reason: 'coupon-used-up', code: coupon.code })
  }

  // A program's order changes no account.
  if (wanted.customerId !== null && wanted.createdVia !== 'rest-api') {
    // The wallet's addresses belong to one purchase only.
    if (wanted.createdVia === 'checkout') await keepAddresses(tx, wanted.customerId, { ...wanted, language })
    else await keepLanguage(tx, wanted.customerId, language)
  }
  const event = placedEvent(wanted, isFirst)
  const [preparedWallet] = await Promise.all([
    isNew && wallet ? prepareWalletOrder(tools, tx, order, items, wallet) : undefined,
    appendToLedger(tx, order.id, now, [event], sha256, isNew ? emptyLedger : undefined),
  ])
  tools.checkpoint('S5 before commit')
  return { ok: true, order, ...(preparedWallet ? { preparedWallet } : {}) }
}

/** Returns the ledger event of a placed order. */
export function placedEvent({ quote, paymentMethod, terms }: PlaceOrder, isNew: boolean): LedgerEvent {
  const data = {
    total: quote.total,
    currency: quote.currency,
    method: paymentMethod.id,
    cart: quote.hash,
    ...(terms ? { terms: terms.version } : {}),
    lines: linesText(quote),
  }
  return { kind: isNew ? 'placed' : 'placed-again', data }
}

/** Returns the lines as text in the merchant's language: the order's items may be rewritten, the ledger may not. */
function linesText({ lines }: Quote): string {
  return lines.map((quoted) => `${lineName({ ...quoted, ...quoted.own })} × ${quoted.line.quantity}`).join('; ')
}

/** Returns quantities by the product whose stock they reduce. */
export function quantitiesByStock({ lines }: Quote): Map<number, number> {
  const needs = new Map<number, number>()
  for (const { stockOwner, line } of lines) {
    if (stockOwner !== null) needs.set(stockOwner, (needs.get(stockOwner) ?? 0) + line.quantity)
  }
  return needs
}

/** Reports whether an order is unpaid, without any money received: placed, or a draft that can be placed. */
export function isWaiting({ status, payment_state: state }: OrderRow): boolean {
  const unpaid = state === 'none' || state === 'pending' || state === 'failed' || state === 'authorising'
  return unpaid && (status === 'pending' || status === 'failed' || status === 'checkout-draft')
}
