import { percentText } from '#contract/shared/merchant-rules.ts'
import type { OrderItemRow, OrderRow } from '#database/orders/orders.ts'
import { apportion } from '#domain/money/apportion.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { addressLines, type Home } from '#shop/addresses/address-lines.ts'
import { storedAttribution, type Touch } from '#shop/attribution/attribution-intake.ts'
import { originInEnglish, originOfOrder, originOfTouch } from '#shop/attribution/attribution-origin.ts'
import { storedTermsAgreement } from '#shop/checkout/agreed-terms.ts'
import type { AddressState } from '#shop/customers/sessions/session-state.ts'
import { orderNumber } from '#shop/orders/imported-order.ts'
import { discountOnLines, inMerchantLanguage, itemName, taxFacts } from '#shop/orders/order-lines.ts'
import { ownMethodTitle } from '#shop/orders/read-order.ts'
import type { OrderRecord } from '#shop/orders/read-order-record.ts'
import { paymentText, statusText } from '../payments/payment-text.ts'
import type { Column } from '../shared/listing.ts'
import { minute, section } from '../shared/record-text.ts'
import { printable, tableLines } from '../shared/table.ts'

/** The settings that name payment methods. */
type Settings = Parameters<typeof ownMethodTitle>[0]

const figure = (minor: number, currency: string) => decimalString(money(minor, currency))
const amount = (minor: number, currency: string) => `${figure(minor, currency)} ${currency}`

const nameOf = ({ billing: stored }: OrderRow) => {
  // Only the checkout writes it, with this type; erased members are empty or missing.
  const { first_name: first = '', last_name: last = '', email = '' } = stored as Partial<AddressState>
  return { name: `${first} ${last}`.trim(), email: email ?? '' }
}

export const orderColumns = (settings: Settings): readonly Column<OrderRow>[] => [
  {
    title: 'Order',
    cell: ({ id, imported_number: number }) => (number === null ? String(id) : `${id} (${number})`),
    csv: ({ id }) => String(id),
  },
  { title: 'Placed (UTC)', cell: ({ created_at: at }) => minute(at) },
  { title: 'Status', cell: ({ status }) => status },
  { title: 'Payment', cell: paymentText, csv: ({ payment_state: state }) => state },
  { title: 'Paid by', cell: (order) => ownMethodTitle(settings, order) },
  {
    title: 'Total',
    cell: ({ total, currency }) => amount(total, currency),
    csv: ({ total, currency }) => figure(total, currency),
    right: true,
  },
  { title: 'Currency', csv: ({ currency }) => currency },
  { title: 'Own total', csv: (order) => worthOf(order)?.total ?? figure(order.total, order.currency) },
  { title: 'Customer', cell: (order) => nameOf(order).name || nameOf(order).email, csv: (order) => nameOf(order).name },
  { title: 'E-mail', csv: (order) => nameOf(order).email },
  { title: 'Origin', cell: (order) => originInEnglish(originOfOrder(order)) },
]

function worthOf({ exchange_rate: rate, base_currency: base, base_total: total }: OrderRow) {
  return rate === null || base === null || total === null ? null : { rate, base, total: figure(total, base) }
}

/** An order in a list, for programs, without the key of its pages. */
export function orderJson(order: OrderRow, settings: Settings) {
  const { id, status, total, currency, billing, shipping, customer_id: customerId } = order
  return {
    number: orderNumber(order),
    // null: an order of this shop.
    importedFrom: order.imported_from,
    ...{ id, status, customerId, currency, billing, shipping },
    payment: order.payment_state,
    // null: the language of the shop.
    language: order.language || null,
    attention: order.attention,
    total: figure(total, currency),
    tax: figure(order.total_tax, currency),
    // null: placed in the shop currency.
    exchange: worthOf(order),
    shippingTotal: figure(order.shipping_total, currency),
    discount: figure(order.discount_total, currency),
    method: order.payment_method,
    methodTitle: ownMethodTitle(settings, order),
    transaction: order.transaction_id,
    // null: the shop required no agreement.
    terms: storedTermsAgreement(order),
    origin: originInEnglish(originOfOrder(order)),
    attribution: storedAttribution(order.attribution),
    placedAt: order.created_at,
    paidAt: order.paid_at,
  }
}

/** The page of one order. */
export function orderLines(record: OrderRecord, settings: Settings & Home): string[] {
  const { order } = record
  return [
    ...head(record, settings),
    ...section('Lines', lineRows(record), [2, 3]),
    ...section('Totals', totalRows(record), [1]),
    ...addresses(order, settings),
    ...section('Where it came from', attributionRows(order)),
    ...payments(record),
    ...refunds(record),
    ...ledger(record),
    ...section(
      'Notes',
      record.notes.map(({ at, for_customer, note }) => [minute(at), for_customer ? 'to customer' : '', note]),
    ),
  ]
}

function head({ order }: OrderRecord, settings: Settings): string[] {
  const rows = [
    ...(order.imported_from === null
      ? []
      : [['Imported', `from ${order.imported_from}, as number ${order.imported_number}`]]),
    ['Placed', `${minute(order.created_at)} UTC, from the ${order.created_via}`],
    ['Status', statusText(order)],
    ['Payment', `${paymentText(order)}, ${ownMethodTitle(settings, order)}`],
    ...(order.paid_at
      ? [['Paid', `${minute(order.paid_at)} UTC, transaction ${order.transaction_id ?? 'unknown'}`]]
      : []),
    ...(order.language ? [['Language', order.language]] : []),
    ...worthRows(order),
    ...termsRows(order),
    ['Origin', originInEnglish(originOfOrder(order))],
    ...(order.attention ? [['Attention', order.attention]] : []),
    ...(order.customer_note ? [['Customer says', order.customer_note]] : []),
  ]
  return [`Order ${order.id}`, ...tableLines(rows)]
}

/** An abbreviated version; `orders terms` prints all of it. */
function termsRows(order: OrderRow): string[][] {
  const agreed = storedTermsAgreement(order)
  if (!agreed) return []
  const shown = `${minute(new Date(agreed.at))} UTC, ${agreed.language}`
  return [['Terms', `version ${agreed.version.slice(0, 12)}, shown ${shown}: orders terms ${order.id}`]]
}

/** The rate of an order in another currency, and its total in the shop currency. */
function worthRows({ currency, exchange_rate: rate, base_currency: base, base_total: total }: OrderRow): string[][] {
  if (rate === null || base === null || total === null) return []
  return [['Currency', `${currency}, at ${rate} for one ${base}: ${amount(total, base)}`]]
}

/** The names that the merchant gave, whatever the language of the customer. */
const ofType = (items: readonly OrderItemRow[], type: OrderItemRow['type']) =>
  items.filter((item) => item.type === type).map(inMerchantLanguage)

function lineRows({ order, items }: OrderRecord): string[][] {
  return ofType(items, 'line_item').map((item) => [
    item.sku,
    itemName(item),
    `× ${item.quantity}`,
    amount(item.total, order.currency),
  ])
}

/** Net amounts with the tax below them: they add up with and without tax in the prices. */
function totalRows({ order, items }: OrderRecord): string[][] {
  const { currency } = order
  const row = (label: string, minor: number) => [label, amount(minor, currency)]
  const lines = ofType(items, 'line_item')
  const coupons = ofType(items, 'coupon')
  const reported = coupons.map(({ total }) => BigInt(total))
  const taken = apportion(reported, 1n, discountOnLines(items).net)
  return [
    row(
      'Lines',
      lines.reduce((total, { subtotal }) => total + subtotal, 0),
    ),
    ...coupons.map(({ name }, place) => row(`Coupon ${name}`, -(taken[place] ?? 0))),
    ...ofType(items, 'shipping').map(({ name, total }) => row(name, total)),
    ...ofType(items, 'fee').map(({ name, total }) => row(name, total)),
    ...ofType(items, 'tax').map((tax, _, all) => row(taxName(tax, all), tax.total + tax.total_tax)),
    row('Total', order.total),
  ]
}

/** The name of a tax, with its rate where another tax of the order has the same name. */
function taxName(tax: OrderItemRow, all: readonly OrderItemRow[]): string {
  const { ratePpm } = taxFacts(tax)
  const alone = all.every((other) => other === tax || other.name !== tax.name)
  return alone || ratePpm === undefined ? tax.name : `${tax.name} ${percentText(ratePpm)} %`
}

function addresses(order: OrderRow, home: Home): string[] {
  // Only the checkout writes both, with this type.
  const [billing, shipping] = [order.billing as AddressState, order.shipping as AddressState]
  const lines = (address: AddressState) => addressLines(home, address).map((line) => `  ${printable(line)}`)
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

const touchRows = (touch: Touch): string[][] => [
  ['source', touch.utm_source ?? ''],
  ['medium', touch.utm_medium ?? ''],
  ['campaign', touch.utm_campaign ?? ''],
  ['term', touch.utm_term ?? ''],
  ['content', touch.utm_content ?? ''],
  ['campaign id', touch.utm_id ?? ''],
  ['platform', touch.utm_source_platform ?? ''],
  ['format', touch.utm_creative_format ?? ''],
  ['tactic', touch.utm_marketing_tactic ?? ''],
  ['referrer', touch.referrer ?? ''],
  ['entered at', touch.session_entry ?? ''],
  ['entered on', touch.session_start_time ? `${touch.session_start_time} UTC` : ''],
]

/** The attribution of an order, and the first visit where it differs. */
function attributionRows(order: OrderRow): string[][] {
  const { first, ...last } = storedAttribution(order.attribution)
  const rows = [
    ...touchRows(last),
    ['visits', last.session_count ?? ''],
    ['pages seen', last.session_pages ?? ''],
    ['device', last.device_type ?? ''],
  ]
  const before = first ? [['first visit', originInEnglish(originOfTouch(first))], ...touchRows(first).map(ofFirst)] : []
  return [...rows, ...before].filter(([, value]) => value !== '')
}

const ofFirst = ([name = '', value = '']: string[]) => [`first ${name}`, value]

function payments({ order, walletOrders, attempts, authorizations, captures }: OrderRecord): string[] {
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
      'Held at the provider',
      authorizations.map((row) => [
        row.id,
        row.status,
        amount(row.amount, row.currency),
        `until ${minute(row.expires_at)}`,
        minute(row.authorized_at),
      ]),
      [2],
    ),
    ...section(
      'Captures',
      captures.map((row) => [
        row.id,
        row.status,
        amount(row.amount, row.currency),
        row.fee === null ? '' : `fee ${amount(row.fee, order.currency)}`,
        row.stray ? 'second payment' : '',
        minute(row.captured_at),
      ]),
      [2],
    ),
  ]
}

function refunds({ refunds: rows, disputes }: OrderRecord): string[] {
  return [
    ...section(
      'Refunds',
      rows.map((row) => [
        minute(row.created_at),
        row.state,
        amount(row.amount, row.currency),
        row.by_provider ? (row.provider_id ?? 'by the provider') : 'by hand',
        row.restock ? 'restocked' : '',
        [row.reason, row.issue].filter(Boolean).join(' · '),
      ]),
      [2],
    ),
    ...section(
      'Disputes',
      disputes.map((row) => [row.id, row.status, row.outcome ?? '', minute(row.changed_at)]),
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
