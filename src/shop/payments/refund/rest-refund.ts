import type { V3RefundRecord } from '#contract/payments/v3-refunds.ts'
import type { OrderItemRow } from '#database/orders/orders.ts'
import type { RefundItemRow, RefundRow } from '#database/payments/refunds.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { allocate, money } from '#domain/money/money.ts'
import type { TaxShare } from '../../cart/quote.ts'
import { taxShares } from '../../orders/order-lines.ts'
import { restLines } from '../../orders/rest-order.ts'
import { localTime } from '../../shared/local-time.ts'
import type { Tools } from '../../shared/tools.ts'

/**
 * Returns a refund for the REST API. Its lines are the order's with negative quantities and amounts, as the public
 * interface has them; a refund of no particular line has none.
 * @param parts the order's items, and the items of its refunds
 */
export function restRefund(
  { settings }: Pick<Tools, 'settings'>,
  refund: RefundRow,
  { items, given }: { items: readonly OrderItemRow[]; given: readonly RefundItemRow[] },
): V3RefundRecord {
  const amount = (minor: number) => decimalString(money(minor, refund.currency))
  const lines = given.flatMap((part) => {
    const item = part.refund_id === refund.id ? items.find(({ id }) => id === part.item_id) : undefined
    return item ? [refundedItem(item, part, refund.currency)] : []
  })
  const { tax_lines: _, ...told } = restLines([...lines, ...items.filter(({ type }) => type === 'tax')], amount)
  const marked = <Line extends { id: number }>(list: readonly Line[]) =>
    list.map((line) => ({ ...line, meta_data: [itemMark(line.id)] }))
  return {
    id: refund.id,
    parent_id: refund.order_id,
    date_created: localTime(refund.created_at, settings.timeZone),
    date_created_gmt: localTime(refund.created_at, 'UTC'),
    amount: amount(refund.amount),
    reason: refund.reason,
    // The staff member who refunded stays private.
    refunded_by: 0,
    refunded_payment: refund.by_provider,
    meta_data: [],
    line_items: marked(told.line_items),
    shipping_lines: marked(told.shipping_lines),
    fee_lines: marked(told.fee_lines),
  }
}

/** Metadata by which connectors find the order's line. */
const itemMark = (id: number) => ({ id: 1, key: '_refunded_item_id', value: String(id) })

function refundedItem(
  item: OrderItemRow,
  { quantity, total, total_tax }: RefundItemRow,
  currency: string,
): OrderItemRow {
  const taxes = sharesOf(taxShares(item), total_tax, currency)
  const back = { subtotal: 0 - total, subtotal_tax: 0 - total_tax, total: 0 - total, total_tax: 0 - total_tax }
  return { ...item, ...back, quantity: 0 - quantity, facts: { ...item.facts, taxes } }
}

/** Returns the refunded tax per rate, in proportion to the rates of its line: a full line refunds each in full. */
function sharesOf(kept: readonly TaxShare[] | undefined, tax: number, currency: string): TaxShare[] | undefined {
  const weights = kept?.map(({ total }) => Math.abs(total)) ?? []
  if (!kept || weights.every((weight) => weight === 0)) return undefined
  const back = allocate(money(tax, currency), weights)
  return kept.map(({ rateId, subtotal }, place) => {
    const minor = 0 - (back[place]?.minor ?? 0)
    return { rateId, total: minor, ...(subtotal !== undefined && { subtotal: minor }) }
  })
}
