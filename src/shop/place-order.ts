import type { Transaction } from 'kysely'
import { transaction } from '#database/connect.ts'
import { giveBackCouponUses, takeCouponUses } from '#database/coupons.ts'
import { appendToLedger } from '#database/ledger.ts'
import {
  addOrderNote,
  insertOrder,
  lockOpenOrders,
  lockOrderOfIntention,
  type OrderRow,
  replaceOrderItems,
  updateOrder,
} from '#database/orders.ts'
import { findAttempts } from '#database/payments.ts'
import type { NewRow, Schema } from '#database/schema.ts'
import { releaseStock } from '#database/stock.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { sha256 } from './digest.ts'
import type { LineFacts } from './order-lines.ts'
import type { Quote } from './quote.ts'
import { reserveOrderStock, type StockShortage } from './reserve-order-stock.ts'
import type { AddressState } from './session-state.ts'
import type { Tools } from './tools.ts'

export type PlaceOrder = {
  sessionId: string
  /** One press on "pay" on one confirmation screen, however often it is sent. */
  intention: string
  quote: Quote
  billing: AddressState
  shipping: AddressState
  customerNote: string
  paymentMethod: { id: string; title: string }
  customerIp: string
  customerUserAgent: string
  createdVia: 'checkout' | 'wallet'
}

export type PlaceOrderResult =
  | { ok: true; order: OrderRow }
  | { ok: false; reason: 'cart-empty' }
  | { ok: false; reason: 'already-paid'; order: OrderRow }
  /** The same order is being paid at this moment, by another request or another tab. */
  | { ok: false; reason: 'being-paid'; order: OrderRow }
  | { ok: false; reason: 'sold-out'; shortage: StockShortage }
  | { ok: false; reason: 'coupon-used-up'; code: string }

/**
 * Makes the pending order of an intention: figures frozen, stock held. The same intention again gives the same order,
 * brought up to date; an order of this visitor for an earlier state of the cart is given up, so that only one can be paid.
 */
export async function placeOrder(tools: Tools, wanted: PlaceOrder): Promise<PlaceOrderResult> {
  if (wanted.quote.lines.length === 0) return { ok: false, reason: 'cart-empty' }
  // A refusal must leave nothing behind, so it rolls the transaction back.
  const result = await transaction(tools, (tx) => place(tools, tx, wanted)).catch((error: unknown) => {
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

async function place(tools: Tools, tx: Transaction<Schema>, wanted: PlaceOrder): Promise<PlaceOrderResult> {
  const { quote } = wanted
  const now = tools.clock.now()
  const existing = await lockOrderOfIntention(tx, wanted.sessionId, wanted.intention)
  if (existing) {
    if (isPaid(existing.payment_state) || existing.payment_state === 'review') {
      return { ok: false, reason: 'already-paid', order: existing }
    }
    const attempts = await findAttempts(tx, existing.id)
    if (attempts.some(({ step, state }) => step === 'capture' && (state === 'open' || state === 'unknown'))) {
      return { ok: false, reason: 'being-paid', order: existing }
    }
  }
  for (const open of await lockOpenOrders(tx, wanted.sessionId)) {
    if (open.id !== existing?.id) await giveUp(tx, open, now, 'The cart was changed and ordered anew.')
  }

  const figures = orderFigures(wanted)
  const isNew = !existing || existing.status === 'cancelled'
  const order =
    existing && !isNew
      ? { ...existing, ...figures, updated_at: now }
      : await insertOrder(tx, {
          ...figures,
          key: `wc_order_${tools.chance.alphanumeric(22)}`,
          status: 'pending',
          payment_state: 'none',
          session_id: wanted.sessionId,
          // An order that was given up keeps its intention; its successor gets one of its own.
          intention: existing ? `${wanted.intention}:${tools.chance.hex(8)}` : wanted.intention,
          created_via: wanted.createdVia,
          created_at: now,
          updated_at: now,
        })
  if (!isNew) await updateOrder(tx, order.id, { ...figures, updated_at: now })
  await replaceOrderItems(tx, order.id, orderItems(quote), isNew)

  const needs = new Map<number, number>()
  for (const { stockOwner, line } of quote.lines) {
    if (stockOwner !== null) needs.set(stockOwner, (needs.get(stockOwner) ?? 0) + line.quantity)
  }
  const shortage = await reserveOrderStock(tools, tx, { id: order.id, isNew }, needs)
  if (shortage) throw new Refusal({ ok: false, reason: 'sold-out', shortage })

  if (quote.coupons.length > 0 || !isNew) {
    const ids = quote.coupons.map(({ id }) => id)
    const usedUp = await takeCouponUses(tx, order.id, ids, wanted.billing.email.trim().toLowerCase())
    const coupon = quote.coupons.find(({ id }) => id === usedUp)
    if (coupon) throw new Refusal({ ok: false, reason: 'coupon-used-up', code: coupon.code })
  }

  const data = { total: quote.total, currency: quote.currency, method: wanted.paymentMethod.id, cart: quote.hash }
  await appendToLedger(tx, order.id, now, [{ kind: isNew ? 'placed' : 'placed-again', data }], sha256)
  tools.checkpoint('S5 before commit')
  return { ok: true, order }
}

/** Ends an unpaid order. One whose payment is under way is left: its own figures still hold. */
export async function giveUp(tx: Transaction<Schema>, order: OrderRow, now: Date, why: string): Promise<boolean> {
  if (order.payment_state !== 'none' && order.payment_state !== 'pending' && order.payment_state !== 'failed')
    return false
  await updateOrder(tx, order.id, { status: 'cancelled', payment_state: 'failed', updated_at: now })
  await releaseStock(tx, order.id)
  await giveBackCouponUses(tx, order.id)
  await addOrderNote(tx, order.id, why, now)
  await appendToLedger(tx, order.id, now, [{ kind: 'cancelled', data: { why } }], sha256)
  return true
}

function orderFigures({ quote, ...wanted }: PlaceOrder) {
  return {
    cart_hash: quote.hash,
    currency: quote.currency,
    prices_include_tax: quote.pricesIncludeTax,
    discount_total: quote.discountTotal,
    discount_tax: quote.discountTax,
    shipping_total: quote.shippingTotal,
    shipping_tax: quote.shippingTax,
    cart_tax: quote.cartTax,
    total_tax: quote.totalTax,
    total: quote.total,
    billing: wanted.billing,
    shipping: wanted.shipping,
    customer_note: wanted.customerNote,
    payment_method: wanted.paymentMethod.id,
    payment_method_title: wanted.paymentMethod.title,
    customer_ip: wanted.customerIp,
    customer_user_agent: wanted.customerUserAgent,
  }
}

function orderItems(quote: Quote): Omit<NewRow<'order_items'>, 'order_id' | 'position'>[] {
  return [
    ...quote.lines.map((quoted) => ({
      type: 'line_item' as const,
      name: quoted.name,
      product_id: quoted.line.productId,
      variation_id: quoted.line.variationId,
      sku: quoted.sku,
      quantity: quoted.line.quantity,
      subtotal: quoted.subtotal,
      subtotal_tax: quoted.subtotalTax,
      total: quoted.total,
      total_tax: quoted.totalTax,
      facts: {
        choices: quoted.choices,
        attributes: quoted.line.attributes,
        virtual: quoted.virtual,
        downloadable: quoted.downloadable,
        stockOwner: quoted.stockOwner,
      } satisfies LineFacts,
    })),
    ...quote.shipping.map((rate) => ({
      type: 'shipping' as const,
      name: rate.label,
      total: rate.cost,
      total_tax: rate.tax,
      facts: { rateId: rate.rateId },
    })),
    ...quote.fees.map((fee) => ({ type: 'fee' as const, name: fee.name, total: fee.amount, total_tax: fee.tax })),
    ...quote.taxes.map((tax) => ({
      type: 'tax' as const,
      name: tax.label,
      total: tax.items,
      total_tax: tax.shipping,
      facts: { code: tax.code },
    })),
    ...quote.coupons.map((coupon) => ({
      type: 'coupon' as const,
      name: coupon.code,
      total: coupon.discount,
      total_tax: coupon.discountTax,
      facts: { couponId: coupon.id },
    })),
  ]
}
