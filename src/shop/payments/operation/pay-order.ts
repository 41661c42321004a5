import type { Transaction } from 'kysely'
import { isProviderMethod } from '#contract/payments/constants.ts'
import { lockStock } from '#database/catalog/stock.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import {
  findOrderItems,
  findShownOrder,
  lockOrder,
  type OrderItemRow,
  type OrderRow,
  updateOrder,
} from '#database/orders/orders.ts'
import { findUnsettledCapture } from '#database/payments/payments.ts'
import { needsPayment } from '#domain/orders/order-status.ts'
import type { Transport } from '#domain/payments/shipping-restriction.ts'
import { localizePaymentMethods } from '../../cart/localize-cart.ts'
import type { AgreedTerms } from '../../checkout/agreed-terms.ts'
import type { PaymentOutcome } from '../../checkout/checkout-stages.ts'
import { payPlacedOrder } from '../../checkout/pay-placed-order.ts'
import type { AcceptRefusal } from '../../orders/accept-order.ts'
import { discontinuedProducts } from '../../orders/discontinued-items.ts'
import { itemName, lineFacts, stockNeeds, travels } from '../../orders/order-lines.ts'
import { extendReservation } from '../../orders/reserve-order-stock.ts'
import { transitionLockedOrder } from '../../orders/transition-order.ts'
import { commitWithCheckpoints } from '../../shared/checkpointed-transaction.ts'
import type { Tools } from '../../shared/tools.ts'
import { localizeFacts } from '../../translation/localize-facts.ts'
import { followMethod } from './apply-payment-method.ts'
import { lockDeclineUnlessPaid } from './lock-decline.ts'
import type { PaymentMethodFacts } from './payment-method-facts.ts'
import { paymentMethods } from './payment-methods.ts'
import { type Payer, type PaymentInput, paymentSource, readPaymentInput } from './payment-source.ts'

/**
 * Reports whether the customer can pay an order, or confirm it where nothing is owed. An order of a wallet button is
 * payable only once it has a shipping address: before, its shipping costs are unknown.
 * @param travels whether any item is shipped
 */
export function isPayable(
  { status, payment_state, total, created_via, shipping }: OrderRow,
  travels: boolean,
): boolean {
  if (created_via === 'wallet' && travels && String(shipping.address_1 ?? '') === '') return false
  const isOpen = status === 'pending' || status === 'failed'
  const free = total === 0 && isOpen
  return (free || needsPayment({ status, totalMinor: total })) && ['none', 'pending', 'failed'].includes(payment_state)
}

/** Returns how an order's items are shipped, in the form that payment methods require. */
export function transportOf(items: readonly OrderItemRow[]): Transport {
  const rates = items.filter(({ type }) => type === 'shipping').map(({ facts }) => String(facts.rateId ?? ''))
  return { needsShipping: rates.length > 0, rates }
}

/** Returns the payment methods for an order that was placed before. */
export async function methodsForOrder(tools: Tools, order: OrderRow, chosen?: string): Promise<PaymentMethodFacts[]> {
  const transport = transportOf(await findOrderItems(tools.db.kysely, order.id))
  const methods = paymentMethods(tools, chosen || order.payment_method, transport, order.currency)
  return localizeFacts(tools, (say) => localizePaymentMethods(say, methods))
}

/** Returns the names of products that an order needs and that are sold out, beside its own reservation. */
export async function soldOutProducts(tools: Tools, order: OrderRow): Promise<string[]> {
  if (order.stock_reduced) return []
  const items = await findOrderItems(tools.db.kysely, order.id)
  const needs = stockNeeds(items)
  const levels = await transaction(tools, (tx) => lockStock(tx, [...needs.keys()], order.id, tools.clock.now()))
  const short = items
    .filter((item) => {
      const owner = item.type === 'line_item' ? lineFacts(item).stockOwner : null
      const level = owner === null ? undefined : levels.get(owner)
      if (owner === null || !level || level.backorders !== 'no') return false
      return level.onHand - level.reservedByOthers < (needs.get(owner) ?? 0)
    })
    .map(itemName)
  return [...new Set([...short, ...(await discontinuedProducts(tools.db.kysely, order.id))])]
}

export type PayOrderResult =
  | PaymentOutcome
  /** The order does not wait for money any more, or never did. */
  | { ok: false; reason: 'not-payable'; order: OrderRow | null }
  | { ok: false; reason: 'no-such-method' }
  /** The page showed another total, or the chosen method changed it; the order has the new total from now on. */
  | { ok: false; reason: 'total-changed'; order: OrderRow }

export type PayOrderInput = {
  readonly method: string
  readonly seenTotal: number | null
  /** Payment source beside the method; without it the wallet's window, or PayPal's page for a card. */
  readonly wish?: PaymentInput
  readonly payer?: Payer
  /** The page itself confirms a card in PayPal's fields. */
  readonly inPage?: boolean
  /** Version of the terms that the page showed; null or left out where it asked for no agreement. */
  readonly terms?: AgreedTerms | null
}

/**
 * Pays an order that was placed before, by a payment method of the customer's choice: it is opened again instead of
 * placed, and enters the checkout's stages at pay. The figures are those of the placed order; where fees depend on the
 * method, those of that method, once the customer has seen them.
 * Pressing twice pays once: an order that is paid or accepted by now answers as done.
 * @param seenTotal the total beside the button, in minor units; null where the caller does not send it
 */
export async function payOrder(
  tools: Tools,
  orderId: number,
  { method, seenTotal, wish, payer, inPage = false, terms = null }: PayOrderInput,
): Promise<PayOrderResult> {
  const before = await findShownOrder(tools.db.kysely, orderId)
  if (!before) return { ok: false, reason: 'not-payable', order: null }
  const chosen = (await methodsForOrder(tools, before, method)).find(({ id }) => id === method)
  if (!chosen && before.total > 0) return { ok: false, reason: 'no-such-method' }
  const opened = await commitWithCheckpoints(tools, 'order-pay', (tx) =>
    openOrder(tools, tx, orderId, { chosen, seenTotal, terms }),
  )
  if (opened.kind === 'ended') {
    const { result } = opened
    const isNo = !result.ok && result.reason === 'payment'
    return isNo && !(await lockDeclineUnlessPaid(tools, orderId))
      ? payPlacedOrder(tools, { kind: 'approved', order: result.order })
      : result
  }
  if (opened.kind === 'under-way') return payPlacedOrder(tools, { kind: 'approved', order: opened.order })
  const { order } = opened
  const input = wish ?? readPaymentInput({}, method)
  // Saved payment methods belong to the order's customer: a visitor with only the payment link owns none.
  const owner = payer ?? { customerId: null, sessionId: '' }
  const isOnline = order.total > 0 && isProviderMethod(method)
  const shipsTo = String(order.shipping.address_1 ?? '') !== '' && opened.needsShipping
  return payPlacedOrder(tools, {
    kind: 'placed',
    order,
    method,
    methodToSave: null,
    source: isOnline ? await paymentSource(tools, method, input, owner) : null,
    input,
    wish: { approvedId: null, start: true, inPage },
    presentation: { shippingPreference: shipsTo ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING', userAction: 'PAY_NOW' },
    approval: null,
  })
}

type Opened =
  | { kind: 'open'; order: OrderRow; needsShipping: boolean }
  | { kind: 'under-way'; order: OrderRow }
  | { kind: 'ended'; result: PayOrderResult }

/** Opens the order for this payment method under its lock, and reserves its stock again. */
async function openOrder(
  tools: Tools,
  tx: Transaction<Schema>,
  orderId: number,
  {
    chosen,
    seenTotal,
    terms,
  }: { chosen: PaymentMethodFacts | undefined; seenTotal: number | null; terms: AgreedTerms | null },
): Promise<Opened> {
  const ended = (result: PayOrderResult): Opened => ({ kind: 'ended', result })
  const found = await lockOrder(tx, orderId)
  if (!found) return ended({ ok: false, reason: 'not-payable', order: null })
  const accepted = ['processing', 'on-hold', 'completed'].includes(found.status)
  if (accepted) return ended({ ok: true, kind: 'done', order: found })
  if (await findUnsettledCapture(tx, orderId)) return { kind: 'under-way', order: found }
  const items = await findOrderItems(tx, orderId)
  if (!isPayable(found, travels(items))) return ended({ ok: false, reason: 'not-payable', order: found })
  const order = (chosen && (await followMethod(tools, tx, found, items, chosen))) ?? found
  // A caller that sends no seen total has seen the order's current one.
  if ((seenTotal ?? found.total) !== order.total) return ended({ ok: false, reason: 'total-changed', order })
  const refused = (problem: AcceptRefusal) => ended({ ok: false, reason: 'payment', problem, order })
  if ((await discontinuedProducts(tx, orderId)).length > 0) return refused('stock')
  if (order.status === 'failed') {
    const again = await transitionLockedOrder(tools, tx, order, {
      to: 'pending',
      note: 'The customer pays it once more.',
      change: { payment_state: 'none' },
    })
    if (!again.ok) return refused(again.reason === 'coupon-used-up' ? 'coupon-used-up' : 'stock')
  } else if (!(await extendReservation(tools, tx, order))) return refused('stock')
  const change = {
    // The final total is on the page: an approval applies to it.
    created_via: 'checkout',
    updated_at: tools.clock.now(),
    ...(chosen ? { payment_method: chosen.id, payment_method_title: chosen.title } : {}),
    ...(terms ? { terms } : {}),
  } as const
  await updateOrder(tx, orderId, change)
  return { kind: 'open', order: { ...order, ...change }, needsShipping: transportOf(items).needsShipping }
}
