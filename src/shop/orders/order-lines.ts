import type { OrderItem, OrderItemRow } from '#database/orders/orders.ts'
import { lineName } from '#domain/orders/line-name.ts'
import { paidStatus } from '#domain/orders/order-status.ts'
import type { OwnWords, TaxShare } from '../cart/quote.ts'

/** Facts of an order line beside its figures, from when the order was placed. */
export type LineFacts = {
  /** Early orders lack the attribute's slug. */
  choices: readonly { slug?: string; label: string; value: string }[]
  /** Chosen options by attribute slug. */
  attributes: Readonly<Record<string, string>>
  virtual: boolean
  downloadable: boolean
  /** Product whose stock the line reduces; null when stock is not managed. */
  stockOwner: number | null
}

/**
 * Returns an item in the merchant's language, as of when the order was placed. Orders in that language, and older ones,
 * keep the item unchanged.
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

/** Returns the discount on the lines: it adds up with the other rows to the total, unlike the reported discount. */
export function discountOnLines(items: readonly OrderItemRow[]): { readonly net: number; readonly tax: number } {
  const lines = items.filter(({ type }) => type === 'line_item')
  return {
    net: lines.reduce((sum, { subtotal, total }) => sum + subtotal - total, 0),
    tax: lines.reduce((sum, { subtotal_tax: before, total_tax: after }) => sum + before - after, 0),
  }
}

/** Returns the name of an order item: a product with its choices, others by their name. */
export function itemName(item: Pick<OrderItem, 'type' | 'name' | 'facts'>): string {
  // Written by `order-from-quote.ts` alone, with this type.
  const { choices } = item.facts as Partial<LineFacts>
  return item.type === 'line_item' ? lineName({ name: item.name, choices: choices ?? [] }) : item.name
}

/** Returns the tax of a line, package or fee by rate, where the order may have several; missing in early orders. */
export function taxShares(item: Pick<OrderItem, 'facts'>): readonly TaxShare[] | undefined {
  // Written by `order-from-quote.ts` alone, with this type.
  return (item.facts as { taxes?: readonly TaxShare[] }).taxes
}

/** Facts of an order's tax rate, which the merchant may change or delete; early orders have only the code. */
export type TaxFacts = { code: string; rateId?: number; ratePpm?: number; compound?: boolean }

export function taxFacts(item: Pick<OrderItem, 'facts'>): TaxFacts {
  // Written by `place-order.ts` alone, with this type.
  return item.facts as TaxFacts
}

export function paidOrderStatus(items: readonly OrderItem[]): 'processing' | 'completed' {
  return paidStatus(items.filter(({ type }) => type === 'line_item').map(lineFacts))
}

/** Reports whether an order has shipped items. */
export function travels(items: readonly OrderItem[]): boolean {
  return items.some((item) => item.type === 'line_item' && !lineFacts(item).virtual)
}

/**
 * Returns quantities per stock owner, over all lines that share it. @param without quantities by line that are left out
 */
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
