import type { PresentProduct } from '#database/cart/cart-products.ts'
import type { StockLevel } from '#database/catalog/stock.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { shortageIn } from '../orders/reserve-order-stock.ts'
import type { Tools } from '../shared/tools.ts'
import { isWaiting, quantitiesByStock } from './place-order.ts'
import type { ReadyOrder } from './ready-order.ts'

/** The fast path cannot place the order. Nothing was changed for it. */
export class FastPathUnavailable extends Error {
  /** Order that the same press made before. */
  readonly order: OrderRow | null
  constructor(order: OrderRow | null = null) {
    super('the order is not placed in a batch')
    this.order = order
  }
}

/** Rows that a transaction has read under its locks, for the orders to place. */
type Known = {
  readonly conflicting: readonly OrderRow[]
  /** Session versions of guests. */
  readonly versions: ReadonlyMap<string, number>
  readonly levels: ReadonlyMap<number, StockLevel>
  readonly present: ReadonlyMap<number, PresentProduct>
}

/** Returns the refusal of each order, null where it is placed: orders are served in their sequence. */
export function fastPathRefusals(
  { settings }: Pick<Tools, 'settings'>,
  asked: readonly ReadyOrder[],
  known: Known,
): (FastPathUnavailable | null)[] {
  const taken = new Map<number, number>()
  return asked.map((one) => {
    const needs = quantitiesByStock(one.wanted.quote)
    const refusal = conflictRefusal(one, known) ?? productRefusal(one, known)
    if (refusal) return refusal
    const left = new Map(known.levels)
    for (const [id, pieces] of taken) {
      const level = left.get(id)
      if (level) left.set(id, { ...level, onHand: level.onHand - pieces })
    }
    if (shortageIn(left, needs, settings.outOfStockAmount)) return new FastPathUnavailable()
    for (const [id, pieces] of needs) taken.set(id, pieces + (taken.get(id) ?? 0))
    return null
  })
}

/** Refuses an order whose press has an order already, with another open order, or whose session has changed. */
function conflictRefusal(
  { wanted, visitor }: ReadyOrder,
  { conflicting, versions }: Known,
): FastPathUnavailable | null {
  const own = conflicting.filter(({ session_id: id }) => id === wanted.sessionId)
  const named = own.find(({ intention }) => intention === wanted.intention)
  if (named && !isWaiting(named)) return new FastPathUnavailable(named)
  if (own.length > 0) return new FastPathUnavailable()
  const isStale = visitor.customerId === null && versions.get(visitor.id) !== visitor.version
  return isStale ? new FastPathUnavailable() : null
}

/** Refuses an order whose products have changed since it was calculated. */
function productRefusal({ productVersions }: ReadyOrder, { present }: Known): FastPathUnavailable | null {
  const isCurrent = [...productVersions].every(([id, version]) => present.get(id)?.asOf === version)
  return isCurrent ? null : new FastPathUnavailable()
}
