import { sql, type Transaction } from 'kysely'
import { currentProductVersions } from '#database/cart/cart-products.ts'
import { lockStock } from '#database/catalog/stock.ts'
import { recordSale } from '#database/catalog/total-sales.ts'
import { takeCouponUses } from '#database/coupons/coupons.ts'
import { keepAddresses } from '#database/customers/customers.ts'
import { findSessionVersions } from '#database/customers/sessions.ts'
import { insertRows } from '#database/engine/insert-rows.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { insertMails } from '#database/mail/messages.ts'
import { emptyLedger, ledgerEntries } from '#database/orders/ledger.ts'
import { findConflictingOrders, lockVisitorsOrders, nextOrderIds, type OrderRow } from '#database/orders/orders.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { mailsOfTransition } from '#domain/orders/order-mails.ts'
import { takesStock, usesCoupons } from '#domain/orders/order-status.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { purchasedLines, withoutPurchasedLines } from '../cart/cart-lines.ts'
import { changeSessionsWith, type VisitSession } from '../customers/sessions/visit-session.ts'
import { acceptance } from '../orders/accept-order.ts'
import { announceNewOrders } from '../orders/announce-order.ts'
import { grantDownloads } from '../orders/downloads/grant-downloads.ts'
import { orderFigures, orderItems } from '../orders/order-from-quote.ts'
import { takeStockOfOrders } from '../orders/reserve-order-stock.ts'
import { commitWithCheckpoints } from '../shared/checkpointed-transaction.ts'
import { sha256 } from '../shared/digest.ts'
import { runInBatch } from '../shared/run-in-batch.ts'
import type { Tools } from '../shared/tools.ts'
import { FastPathUnavailable, fastPathRefusals } from './fast-path-unavailable.ts'
import { placedEvent, quantitiesByStock } from './place-order.ts'
import type { BatchPlacement, ReadyOrder } from './ready-order.ts'

/**
 * Places and accepts an order in one transaction, batched with concurrent orders of other visitors: one set of
 * statements writes them all.
 * @throws {FastPathUnavailable} where a decision is required, without any change for this order
 */
export async function placeOrderInBatch(tools: Tools, ready: ReadyOrder): Promise<BatchPlacement> {
  // Orders with further locks are not batched: their lock order differs.
  const isAlone = ready.wanted.customerId !== null || ready.wanted.quote.coupons.length > 0
  const work = (orders: readonly ReadyOrder[]) => placeBatch(tools, orders)
  const outcome = isAlone
    ? (await work([ready]))[0]
    : await runInBatch({ queue: tools.orderBatches, clock: tools.clock }, ready, ready.wanted.sessionId, work)
  if (outcome instanceof FastPathUnavailable) throw outcome
  if (!outcome) throw new Error('the batch returned no outcome for the order')
  return outcome
}

/** Places a batch. @returns the outcome of each order; only conflicts of its own exclude an order */
async function placeBatch(
  tools: Tools,
  orders: readonly ReadyOrder[],
): Promise<(BatchPlacement | FastPathUnavailable)[]> {
  return commitWithCheckpoints(tools, 'S13 at once', (tx) => place(tools, tx, orders))
}

/**
 * Lock timeout of a batch: an order that waits longer for a locked product is placed alone, without delaying others.
 */
const batchTimeoutMs = '100ms'

async function place(tools: Tools, tx: Transaction<Schema>, asked: readonly ReadyOrder[]) {
  const now = tools.clock.now()
  const presses = asked.map(({ wanted }) => wanted)
  const products = new Set(asked.flatMap(({ productVersions }) => [...productVersions.keys()]))
  const needed = new Set(presses.flatMap(({ quote }) => [...quantitiesByStock(quote).keys()]))
  const guests = asked.flatMap(({ visitor: { id, customerId } }) => (customerId === null ? [id] : []))
  const [, , conflicting, versions, ids, levels, present] = await Promise.all([
    asked.length > 1 && sql`select set_config('lock_timeout', ${batchTimeoutMs}, true)`.execute(tx),
    lockVisitorsOrders(
      tx,
      presses.map(({ sessionId }) => sessionId),
    ),
    findConflictingOrders(tx, presses),
    findSessionVersions(tx, guests, now),
    nextOrderIds(tx, asked.length),
    lockStock(tx, [...needed], null, now),
    currentProductVersions(tx, [...products], now),
  ])
  const refusals = fastPathRefusals(tools, asked, { conflicting, versions, levels, present })
  const ready = asked.filter((_, nr) => refusals[nr] === null)
  const [refusal] = refusals
  if (asked.length === 1 && refusal) throw refusal
  if (ready.length === 0) return refusals.flatMap((one) => one ?? [])

  const orders = ready.map((one, nr) => orderRows(tools, one, ids[nr] ?? 0, now))
  const [, , , , , saved] = await Promise.all([
    insertRows(
      tx,
      'orders',
      orders.map(({ order }) => order),
    ),
    insertRows(
      tx,
      'order_items',
      orders.flatMap(({ items }) => items),
    ),
    insertRows(
      tx,
      'ledger',
      orders.flatMap(({ ledger }) => ledger),
    ),
    insertRows(
      tx,
      'order_notes',
      orders.map(({ order, move }) => ({ order_id: order.id, at: now, note: move.note, for_customer: false })),
    ),
    takeStockOfOrders(
      tools,
      tx,
      orders.map(({ order, pieces }) => ({ orderId: order.id, quantities: pieces })),
    ),
    changeSessionsWith(
      tools,
      tx,
      orders.map(({ visitor, left }) => ({ session: visitor, state: left })),
    ),
    recordSale(
      tx,
      orders.map(({ order }) => order.id),
      1,
    ),
    insertMails(
      tx,
      orders.flatMap(({ mails }) => mails),
      'after-an-end',
    ),
  ])
  if (!saved) throw new FastPathUnavailable()
  for (const one of orders) await writeRareRows(tools, tx, one)
  await announceNewOrders(
    tx,
    orders.map(({ order: { id, status, payment_state } }) => ({ id, status, paid: isPaid(payment_state) })),
  )
  const placed = orders.map(({ order }, nr) => ({ order, session: saved[nr] as VisitSession })).values()
  // Outcomes of the placed orders, in their sequence.
  return refusals.map((one) => one ?? (placed.next().value as BatchPlacement))
}

/** Builds all rows of an order. */
function orderRows(tools: Tools, { wanted, visitor, language, trace }: ReadyOrder, id: number, now: Date) {
  const pending: OrderRow = {
    id,
    attribution: {},
    terms: null,
    meta_data: {},
    trashed_at: null,
    deleted_at: null,
    ...orderFigures(wanted),
    language,
    status: 'pending',
    key: `wc_order_${tools.chance.alphanumeric(22)}`,
    payment_state: 'none',
    attention: null,
    transaction_id: null,
    kept_method: null,
    imported_from: null,
    imported_number: null,
    personal_data: 'kept',
    stock_reduced: false,
    session_id: wanted.sessionId,
    intention: wanted.intention,
    created_at: now,
    updated_at: now,
    paid_at: null,
  }
  const items = orderItems(wanted.quote).map((item, position) => ({
    ...item,
    order_id: id,
    position,
  }))
  const move = acceptance(pending, items, now)
  // A status without stock reduction needs a reservation, which the fast path does not make.
  if (!takesStock(move.to) || !usesCoupons(move.to)) throw new FastPathUnavailable()
  const order: OrderRow = { ...pending, ...move.change, status: move.to, stock_reduced: true }
  const accepted = { ...move.event, data: { ...move.event.data, from: pending.status, status: move.to } }
  return {
    order,
    items,
    move,
    wanted,
    visitor,
    language,
    pieces: quantitiesByStock(wanted.quote),
    ledger: ledgerEntries(id, now, [placedEvent(wanted, true), accepted], sha256, emptyLedger),
    mails: mailsOfTransition(pending.status, move.to).map((kind) => ({ orderId: id, kind, trace })),
    left: withoutPurchasedLines(visitor.state, purchasedLines(id, items)),
  }
}

/** Writes the rows that few orders have. After the stock, in the lock order of transitions. */
async function writeRareRows(
  tools: Tools,
  tx: Transaction<Schema>,
  { order, items, wanted, language }: ReturnType<typeof orderRows>,
): Promise<void> {
  if (isPaid(order.payment_state) || order.status === 'completed') await grantDownloads(tools, tx, order, items)
  if (wanted.customerId !== null) await keepAddresses(tx, wanted.customerId, { ...wanted, language })
  const coupons = wanted.quote.coupons.map(({ id }) => id)
  if (coupons.length === 0) return
  const usedUp = await takeCouponUses(tx, order.id, coupons, emailIdentity(wanted.billing.email))
  if (usedUp !== null) throw new FastPathUnavailable()
}
