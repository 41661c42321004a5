import {
  type BookedPeriod,
  type BookedRefund,
  type BookedSale,
  listBookedRefunds,
  listBookedSales,
} from '#database/orders/booked-orders.ts'
import type { OrderItemRow, OrderRow } from '#database/orders/orders.ts'
import {
  type BookedPart,
  bookedParts,
  grossOf,
  ownAmount,
  refundedParts,
  scaledParts,
  type TaxByRate,
} from '#domain/orders/booked-parts.ts'
import type { AddressState } from '../customers/sessions/session-state.ts'
import type { Tools } from '../shared/tools.ts'
import { lineFacts, taxFacts, taxShares } from './order-lines.ts'

const entriesAtOnce = 200

/** One entry of the books: a sale when it was paid, or a refund when it was paid out, with negative figures. */
export type BookedEntry = {
  readonly type: 'sale' | 'refund'
  readonly at: Date
  readonly order: OrderRow
  readonly items: readonly OrderItemRow[]
  /** Where the goods went, or the customer lives. */
  readonly country: string
  readonly parts: readonly BookedPart[]
  /** The same parts in the currency of the shop, at the rate of the order. */
  readonly ownParts: readonly BookedPart[]
  readonly ownCurrency: string
  /** Minor units; null: unknown or none. */
  readonly fee: number | null
  /** The provider's transaction; '' if there is none. */
  readonly reference: string
}

/** Yields the entries of a period: its sales, then its refunds. Memory does not grow with their number. */
export async function* bookedEntries({ db }: Pick<Tools, 'db'>, period: BookedPeriod): AsyncGenerator<BookedEntry> {
  for (let after = 0; ; ) {
    const sales = await listBookedSales(db.kysely, period, after, entriesAtOnce)
    for (const sale of sales) yield saleEntry(sale)
    const last = sales.at(-1)
    if (!last) break
    after = last.order.id
  }
  for (let after = 0; ; ) {
    const refunds = await listBookedRefunds(db.kysely, period, after, entriesAtOnce)
    for (const refund of refunds) yield refundEntry(refund)
    const last = refunds.at(-1)
    if (!last) break
    after = last.refund.id
  }
}

function saleEntry({ order, items, fee }: BookedSale): BookedEntry {
  const parts = partsOf(items)
  return {
    ...entryOf(order, items, parts),
    type: 'sale',
    at: order.paid_at ?? order.created_at,
    fee,
    reference: order.transaction_id ?? '',
  }
}

function refundEntry({ order, items, refund, refundItems }: BookedRefund): BookedEntry {
  const named = refundItems.map(({ item_id: itemId, total: net, total_tax: tax }) => ({ itemId, net, tax }))
  const parts = refundedParts(partsOf(items), { amount: refund.amount, items: named })
  return {
    ...entryOf(order, items, parts),
    type: 'refund',
    at: refund.settled_at ?? refund.created_at,
    fee: null,
    reference: refund.provider_id ?? '',
  }
}

function entryOf(order: OrderRow, items: readonly OrderItemRow[], parts: readonly BookedPart[]) {
  const { base_total: baseTotal, base_currency: base, total } = order
  const isForeign = base !== null && baseTotal !== null
  const own = isForeign ? scaledParts(parts, ownAmount(grossOf(parts), { total, baseTotal })) : parts
  return { order, items, country: countryOf(order, items), parts, ownParts: own, ownCurrency: base ?? order.currency }
}

/** Returns the parts of an order: lines, packages and fees. */
function partsOf(items: readonly OrderItemRow[]): BookedPart[] {
  const rates = items.filter(({ type }) => type === 'tax').map(taxFacts)
  const rateOf = (rateId: number) => rates.find((rate) => rate.rateId === rateId)?.ratePpm ?? null
  const [only, ...others] = new Set(rates.map(({ ratePpm }) => ratePpm ?? null))
  const alone = others.length === 0 ? (only ?? null) : null
  const sharesOf = (item: OrderItemRow): TaxByRate[] => {
    const shares = taxShares(item)
    // Early orders, and those with a single rate, have no shares.
    if (!shares) return item.total_tax === 0 ? [] : [{ ratePpm: alone, tax: item.total_tax }]
    return shares.map(({ rateId, total }) => ({ ratePpm: rateOf(rateId), tax: total }))
  }
  return bookedParts(
    items.flatMap((item) => {
      const kind = item.type === 'line_item' ? 'line' : item.type
      if (kind === 'tax' || kind === 'coupon') return []
      const isService = kind === 'line' && lineFacts(item).virtual
      return [{ id: item.id, kind, isService, net: item.total, tax: item.total_tax, shares: sharesOf(item) }]
    }),
  )
}

function countryOf({ billing, shipping }: OrderRow, items: readonly OrderItemRow[]): string {
  // Only the checkout writes both, with this type; erased orders keep the country.
  const [to, from] = [shipping as Partial<AddressState>, billing as Partial<AddressState>]
  const isSent = items.some(({ type }) => type === 'shipping')
  return (isSent ? to.country || from.country : from.country || to.country) ?? ''
}
