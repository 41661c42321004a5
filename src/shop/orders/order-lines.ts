import type { OrderItem, OrderItemRow } from '#database/orders/orders.ts'
import { lineName } from '#domain/orders/line-name.ts'
import { paidStatus } from '#domain/orders/order-status.ts'
import type { OwnWords, TaxShare } from '../cart/quote.ts'

/** What a line of an order keeps beside its figures, as it was when the order was placed. */
export type LineFacts = {
  /** Of early orders without the slug of the attribute. */
  choices: readonly { slug?: string; label: string; value: string }[]
  /** The options that were chosen, by the slug of their attribute. */
  attributes: Readonly<Record<string, string>>
  virtual: boolean
  downloadable: boolean
  /** The product whose stock the line takes from; null when stock is not managed. */
  stockOwner: number | null
}

/**
 * An item in the words that the merchant wrote when the order was placed. Of an order in their own language, and of one that is
 * older than these words, it is the item as it is.
 */
export function inMerchantLanguage<Item extends OrderItem>(item: Item): Item {
  // Written by `order-from-quote.ts` alone, with this type.
  const { own } = item.facts as { own?: OwnWords }
  if (!own) return item
  return { ...item, name: own.name, facts: { ...item.facts, ...(own.choices && { choices: own.choices }) } }
}

export function lineFacts(item: OrderItem): LineFacts {
  // Written by `place-order.ts` alone, with this type.
  return item.facts as LineFacts
}

/** What the lines of an order became cheaper by: with the other rows it makes the total, which the reported discount need not. */
export function discountOnLines(items: readonly OrderItemRow[]): { readonly net: number; readonly tax: number } {
  const lines = items.filter(({ type }) => type === 'line_item')
  return {
    net: lines.reduce((sum, { subtotal, total }) => sum + subtotal - total, 0),
    tax: lines.reduce((sum, { subtotal_tax: before, total_tax: after }) => sum + before - after, 0),
  }
}

/** Names an item of an order in one text: a product with its choices, anything else as it is called. */
export function itemName(item: Pick<OrderItem, 'type' | 'name' | 'facts'>): string {
  // Written by `order-from-quote.ts` alone, with this type.
  const { choices } = item.facts as Partial<LineFacts>
  return item.type === 'line_item' ? lineName({ name: item.name, choices: choices ?? [] }) : item.name
}

/** What of the tax of a line, parcel or fee is by which rate, where the order may have several; not of early orders. */
export function taxShares(item: Pick<OrderItem, 'facts'>): readonly TaxShare[] | undefined {
  // Written by `order-from-quote.ts` alone, with this type.
  return (item.facts as { taxes?: readonly TaxShare[] }).taxes
}

/** What a tax of an order keeps of its rate, which the merchant may change or remove; of early orders only the code. */
export type TaxFacts = { code: string; rateId?: number; ratePpm?: number; compound?: boolean }

export function taxFacts(item: Pick<OrderItem, 'facts'>): TaxFacts {
  // Written by `place-order.ts` alone, with this type.
  return item.facts as TaxFacts
}

export function paidOrderStatus(items: readonly OrderItem[]): 'processing' | 'completed' {
  return paidStatus(items.filter(({ type }) => type === 'line_item').map(lineFacts))
}

/** Whether anything of an order is sent to somebody. */
export function travels(items: readonly OrderItem[]): boolean {
  return items.some((item) => item.type === 'line_item' && !lineFacts(item).virtual)
}

/** Pieces per stock owner, over all lines that share it. @param without pieces by line that are left out */
export function stockNeeds(
  items: readonly OrderItemRow[],
  without: ReadonlyMap<number, number> = new Map(),
): Map<number, number> {
  const needs = new Map<number, number>()
  for (const item of items) {
    if (item.type !== 'line_item') continue
    const { stockOwner } = lineFacts(item)
    const pieces = item.quantity - (without.get(item.id) ?? 0)
    if (stockOwner !== null && pieces > 0) needs.set(stockOwner, (needs.get(stockOwner) ?? 0) + pieces)
  }
  return needs
}
