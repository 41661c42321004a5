import type { OrderItemRow, OrderRow } from '#database/orders.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { lineFacts } from '#shop/order-lines.ts'
import { addressLines } from '#shop/read-order.ts'
import type { OrderRecord } from '#shop/read-order-record.ts'
import type { AddressState } from '#shop/session-state.ts'
import { printable, tableLines } from './table.ts'

const figure = (minor: number, currency: string) => decimalString(money(minor, currency))
const amount = (minor: number, currency: string) => `${figure(minor, currency)} ${currency}`

/** `2026-05-10 12:00`, in universal time. */
const minute = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ')

/** The list of orders, one line each under a head. */
export function orderListLines(orders: readonly OrderRow[]): string[] {
  const rows = orders.map((order) => {
    // Written by the checkout alone, with this type.
    const billing = order.billing as AddressState
    const name = `${billing.first_name} ${billing.last_name}`.trim()
    return [
      String(order.id),
      minute(order.created_at),
      order.status,
      order.payment_state,
      order.payment_method_title,
      amount(order.total, order.currency),
      name || billing.email,
    ]
  })
  return tableLines([['Order', 'Placed (UTC)', 'Status', 'Payment', 'Paid by', 'Total', 'Customer'], ...rows], [5])
}

/** One order with everything that is known of it. */
export function orderLines(record: OrderRecord): string[] {
  const { order } = record
  return [
    ...head(record),
    ...section('Lines', lineRows(record), [2, 3]),
    ...section('Totals', totalRows(record), [1]),
    ...addresses(order),
    ...payments(record),
    ...ledger(record),
    ...section(
      'Notes',
      record.notes.map(({ at, for_customer, note }) => [minute(at), for_customer ? 'to customer' : '', note]),
    ),
  ]
}

function head({ order }: OrderRecord): string[] {
  const rows = [
    ['Placed', `${minute(order.created_at)} UTC, from the ${order.created_via}`],
    ['Status', order.status],
    ['Payment', `${order.payment_state}, ${order.payment_method_title}`],
    ...(order.paid_at
      ? [['Paid', `${minute(order.paid_at)} UTC, transaction ${order.transaction_id ?? 'unknown'}`]]
      : []),
    ...(order.attention ? [['Attention', order.attention]] : []),
    ...(order.customer_note ? [['Customer says', order.customer_note]] : []),
  ]
  return [`Order ${order.id}`, ...tableLines(rows)]
}

function section(title: string, rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  return rows.length > 0 ? ['', title, ...tableLines(rows, right).map((line) => `  ${line}`)] : []
}

const ofType = (items: readonly OrderItemRow[], type: OrderItemRow['type']) =>
  items.filter((item) => item.type === type)

function lineRows({ order, items }: OrderRecord): string[][] {
  return ofType(items, 'line_item').map((item) => {
    const choices = lineFacts(item).choices
    const chosen = choices.map(({ label, value }) => `${label}: ${value}`).join(', ')
    return [
      item.sku,
      chosen ? `${item.name} (${chosen})` : item.name,
      `× ${item.quantity}`,
      amount(item.total, order.currency),
    ]
  })
}

/** Net figures with the tax below them: they add up whichever way the shop shows its prices. */
function totalRows({ order, items }: OrderRecord): string[][] {
  const { currency } = order
  const row = (label: string, minor: number) => [label, amount(minor, currency)]
  const lines = ofType(items, 'line_item')
  return [
    row(
      'Lines',
      lines.reduce((total, { subtotal }) => total + subtotal, 0),
    ),
    ...ofType(items, 'coupon').map(({ name, total }) => row(`Coupon ${name}`, -total)),
    ...ofType(items, 'shipping').map(({ name, total }) => row(name, total)),
    ...ofType(items, 'fee').map(({ name, total }) => row(name, total)),
    ...ofType(items, 'tax').map(({ name, total, total_tax }) => row(name, total + total_tax)),
    row('Total', order.total),
  ]
}

function addresses(order: OrderRow): string[] {
  // Both written by the checkout alone, with this type.
  const [billing, shipping] = [order.billing as AddressState, order.shipping as AddressState]
  const lines = (address: AddressState) => addressLines(address).map((line) => `  ${printable(line)}`)
  const contact = [billing.email, billing.phone].filter(Boolean).map((line) => `  ${printable(line)}`)
  const [to, from] = [lines(shipping), lines(billing)]
  return [
    '',
    'Billing',
    ...from,
    ...contact,
    ...(to.length > 0 ? ['', 'Shipping', ...(to.join() === from.join() ? ['  the same'] : to)] : []),
  ]
}

function payments({ order, walletOrders, attempts, captures }: OrderRecord): string[] {
  return [
    ...section(
      'Orders at the provider',
      walletOrders.map((row) => [
        row.id,
        row.state,
        amount(row.amount, row.currency),
        row.environment,
        minute(row.created_at),
      ]),
      [2],
    ),
    ...section(
      'Payment attempts',
      attempts.map((row) => [
        minute(row.opened_at),
        row.step,
        row.state,
        amount(row.amount, row.currency),
        row.wallet_order_id ?? '',
        row.request_id,
        row.result ? JSON.stringify(row.result) : '',
      ]),
      [3],
    ),
    ...section(
      'Captures',
      captures.map((row) => [
        row.id,
        row.status,
        amount(row.amount, row.currency),
        row.fee === null ? '' : `fee ${amount(row.fee, order.currency)}`,
        minute(row.captured_at),
      ]),
      [2],
    ),
  ]
}

function ledger({ ledger: entries, brokenLedgerEntry }: OrderRecord): string[] {
  const title =
    brokenLedgerEntry === null ? 'Ledger' : `Ledger (BROKEN at entry ${brokenLedgerEntry}: it was changed afterwards)`
  return section(
    title,
    entries.map(({ seq, at, kind, data }) => [
      String(seq),
      minute(at),
      kind,
      Object.entries(data)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join(' '),
    ]),
    [0],
  )
}
