import { type SourceOrder, sourceOrder } from '#contract/import/source/source-people.ts'
import { itemsCell } from '#contract/orders/orders-csv-items.ts'
import { importOrders } from '../../orders/import-orders.ts'
import { plainName } from './cell-text.ts'
import { byId, eachPage, type MigrationRun, sinceQuery } from './migration-run.ts'
import { addressCells, type RecordCells, reportRecords, textRows } from './record-rows.ts'

const kind = 'orders'
/** Carts that never became orders. */
const drafts: ReadonlySet<string> = new Set(['checkout-draft', 'auto-draft', 'trash'])

/** Brings orders as history: see `importOrders`. */
export async function migrateOrders(run: MigrationRun): Promise<void> {
  const { dryRun } = run.options
  await eachPage(run, { kind, path: 'orders', query: { ...byId, ...sinceQuery(run) } }, sourceOrder, async (orders) => {
    const known = await run.known(
      kind,
      orders.map(({ id }) => id),
    )
    run.report.known(kind, known.size)
    const records: RecordCells[] = []
    for (const order of orders) {
      if (known.has(String(order.id))) continue
      if (drafts.has(order.status)) run.report.left(kind, order.id, 'was never placed')
      else records.push({ id: order.id, cells: orderCells(order) })
    }
    if (records.length === 0) return
    const from = run.source.location.name
    const options = { existing: 'skip', skipFaulty: true, dryRun, from } as const
    const result = await importOrders(run.tools(), textRows(records), options)
    const ids = reportRecords(run, kind, records, result)
    await run.record(
      kind,
      ids.map((id) => ({ sourceId: String(id), ownId: null })),
    )
  })
}

function orderCells(order: SourceOrder): Record<string, string> {
  const refunded = order.refunds.map(({ total }) => total.replace('-', '')).filter((total) => total !== '')
  return {
    order_number: order.number || String(order.id),
    date: order.date_created_gmt?.toISOString() ?? '',
    paid_date: order.date_paid_gmt?.toISOString() ?? '',
    status: order.status,
    order_currency: order.currency,
    order_total: order.total,
    tax_total: order.total_tax,
    discount_total: order.discount_total,
    shipping_total: order.shipping_total,
    refunded_total: decimalSum(refunded),
    prices_include_tax: order.prices_include_tax ? 'yes' : 'no',
    payment_method: order.payment_method,
    payment_method_title: plainName(order.payment_method_title),
    transaction_id: order.transaction_id,
    customer_note: order.customer_note,
    billing_email: order.billing.email,
    ...addressCells('billing', order.billing),
    ...addressCells('shipping', order.shipping),
    line_items: itemsCell(
      order.line_items.map((line) => ({
        name: plainName(line.name) || 'Product',
        sku: line.sku,
        quantity: String(line.quantity ?? 1),
        subtotal: line.subtotal,
        subtotal_tax: line.subtotal_tax,
        total: line.total,
        total_tax: line.total_tax,
        meta: choicesText(line.meta_data),
      })),
    ),
    shipping_items: itemsCell(
      order.shipping_lines.map(({ method_title: title, total, total_tax }) => {
        return { method_title: plainName(title) || 'Shipping', total, total_tax }
      }),
    ),
    fee_items: itemsCell(
      order.fee_lines.map(({ name, total, total_tax }) => ({ name: plainName(name) || 'Fee', total, total_tax })),
    ),
    tax_items: itemsCell(
      order.tax_lines.map(({ label, rate_percent, tax_total, shipping_tax_total }) => {
        return { name: plainName(label) || 'Tax', rate_percent, total: tax_total, shipping_tax_total }
      }),
    ),
    coupon_items: itemsCell(
      order.coupon_lines.map(({ code, discount }) => ({ code: plainName(code), amount: discount })),
    ),
  }
}

/** Returns the chosen values of a line: `Colour=Sand,Size=M`. Names with an underscore are notes of programs. */
function choicesText(meta: SourceOrder['line_items'][number]['meta_data']): string {
  const parts = meta.flatMap(({ key, value, display_key: label, display_value: shown }) => {
    const name = plainName(typeof label === 'string' && label !== '' ? label : key)
    const text = plainName(
      typeof shown === 'string' ? shown.replace(/<[^>]*>/g, '') : typeof value === 'string' ? value : '',
    )
    return key.startsWith('_') || name === '' || text === ''
      ? []
      : [`${name.replace(/[=,]/g, ' ')}=${text.replaceAll('=', ':')}`]
  })
  return parts.join(',')
}

/** Adds decimal texts without a binary fraction. */
function decimalSum(amounts: readonly string[]): string {
  const places = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))
  if (amounts.some((amount) => !/^\d{1,15}(\.\d{1,9})?$/.test(amount))) return amounts.join(' ')
  const sum = amounts.reduce((all, amount) => {
    const [whole = '0', fraction = ''] = amount.split('.')
    return all + BigInt(whole + fraction.padEnd(places, '0'))
  }, 0n)
  const digits = String(sum).padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
