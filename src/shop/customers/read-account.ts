import { urls } from '#contract/shared/urls.ts'
import { type CustomerRow, findCustomer, findCustomersOrders } from '#database/customers/customers.ts'
import { findOrderNotes, type OrderRow } from '#database/orders/orders.ts'
import type { AddressKind } from '#domain/addresses/address-fields.ts'
import { money } from '#domain/money/money.ts'
import { addressLines } from '../addresses/address-lines.ts'
import { addressFields } from '../checkout/describe-checkout.ts'
import { orderNumber } from '../orders/imported-order.ts'
import { travels } from '../orders/order-lines.ts'
import { localizeOrder, readOrderRows } from '../orders/read-order.ts'
import { isPayable } from '../payments/operation/pay-order.ts'
import type { Tools } from '../shared/tools.ts'
import type { AddressFormFacts, CustomerFacts, OrderListFacts, ViewOrderFacts } from './account-facts.ts'
import { addressOf, hasPlace } from './sessions/login-state.ts'
import type { AddressState } from './sessions/session-state.ts'

const ordersPerPage = 10

/** Nonces of the links on order pages. */
export type OrderNonces = { cancel: string; again: string }

export async function readCustomer(
  { db, settings }: Pick<Tools, 'db' | 'settings'>,
  id: number,
): Promise<CustomerFacts | null> {
  const row = await findCustomer(db.kysely, id)
  return row ? customerFacts(settings, row) : null
}

function customerFacts(settings: Tools['settings'], row: CustomerRow): CustomerFacts {
  const lines = (stored: object) => {
    const address = addressOf(stored)
    return hasPlace(address) ? addressLines(settings, address) : []
  }
  return {
    firstName: row.first_name,
    lastName: row.last_name,
    displayName: row.display_name || row.username,
    username: row.username,
    email: row.email,
    emailConfirmed: row.email_verified_at !== null,
    emailWanted: row.email_wanted === row.email ? null : row.email_wanted,
    role: row.role,
    billing: lines(row.billing),
    shipping: lines(row.shipping),
  }
}

/** Returns a page of a customer's orders, newest first. */
export async function readCustomersOrders(
  { db }: Pick<Tools, 'db'>,
  customerId: number,
  page: number,
  nonces: OrderNonces,
): Promise<OrderListFacts> {
  const offset = (page - 1) * ordersPerPage
  const { count, orders } = await findCustomersOrders(db.kysely, customerId, { limit: ordersPerPage, offset })
  return {
    page,
    pageCount: Math.max(1, Math.ceil(count / ordersPerPage)),
    orders: orders.map((row) => ({
      id: row.id,
      number: orderNumber(row),
      status: row.status,
      createdAt: row.created_at,
      total: money(row.total, row.currency),
      pieces: row.pieces,
      viewUrl: urls.viewOrder(row.id),
      payUrl: payUrl(row, row.travels),
      cancelUrl: cancelUrl(row, nonces, urls.orders()),
    })),
  }
}

/** Returns one order of a customer; null for another customer's. */
export async function readCustomersOrder(
  tools: Pick<Tools, 'db' | 'settings' | 'clock' | 'translator'>,
  customerId: number,
  orderId: number,
  nonces: OrderNonces,
): Promise<ViewOrderFacts | null> {
  const rows = await readOrderRows(tools, orderId)
  if (rows?.row.customer_id !== customerId) return null
  const { row, items } = rows
  const notes = await findOrderNotes(tools.db.kysely, orderId)
  return {
    order: await localizeOrder(tools, rows),
    payUrl: payUrl(row, travels(items)),
    cancelUrl: cancelUrl(row, nonces, urls.viewOrder(orderId)),
    againUrl: row.status === 'completed' ? urls.cart({ order_again: orderId, _wpnonce: nonces.again }) : null,
    notes: notes.filter(({ for_customer }) => for_customer).map(({ at, note }) => ({ at, note })),
  }
}

/** Returns the form of one address, with the stored or the rejected values. */
export async function readAddressForm(
  tools: Tools,
  customerId: number,
  kind: AddressKind,
  typed?: AddressState,
): Promise<AddressFormFacts> {
  const row = await findCustomer(tools.db.kysely, customerId)
  const kept = addressOf(row?.[kind] ?? {})
  const address = typed ?? {
    ...kept,
    first_name: kept.first_name || (row?.first_name ?? ''),
    last_name: kept.last_name || (row?.last_name ?? ''),
    email: kept.email || (row?.email ?? ''),
    ...(kept.country ? {} : { country: tools.settings.base.country, state: tools.settings.base.state }),
  }
  return { kind, fields: addressFields(tools, kind, address) }
}

/** Returns the payment page's address, only for amounts that the page would charge. */
function payUrl(row: OrderRow, isSent: boolean): string | null {
  return row.total > 0 && isPayable(row, isSent) ? urls.orderPay(row.id, row.key) : null
}

/** Returns the link that cancels an unpaid order. */
function cancelUrl(
  row: { id: number; key: string; status: string; payment_state: string },
  { cancel }: OrderNonces,
  redirect: string,
): string | null {
  if (!['pending', 'failed'].includes(row.status) || !['none', 'pending', 'failed'].includes(row.payment_state))
    return null
  return urls.cart({ cancel_order: 'true', order: row.key, order_id: row.id, redirect, _wpnonce: cancel })
}
