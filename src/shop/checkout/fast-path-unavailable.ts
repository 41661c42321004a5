import type { PresentProduct } from '#database/cart/cart-products.ts'
import type { StockLevel } from '#database/catalog/stock.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { shortageIn } from '../orders/reserve-order-stock.ts'
import { isWaiting, quantitiesByStock } from './place-order.ts'
import type { ReadyOrder } from './ready-order.ts'

/** The fast path cannot place the order. Nothing was changed for it. */
export class FastPathUnavailable extends Error {
  /** `outdated`: the facts of the calculation have changed. */
  readonly why: 'outdated' | 'undecided'
  /** Order that the same press made before. */
  readonly order: OrderRow | null
  constructor(why: 'outdated' | 'undecided' = 'undecided', order: OrderRow | null = null) {
    super(why)
    this.why = why
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
export function fastPathRefusals(asked: readonly ReadyOrder[], known: Known): (FastPathUnavailable | null)[] {
  const taken = new Map<number, number>()
  return asked.map((one) => {
    const needs = quantitiesByStock(one.wanted.quote)
    const refusal = conflictRefusal(one, known) ?? productRefusal(one, known)
    if (refusal) return refusal
    const together = new Map([...needs].map(([id, pieces]) => [id, pieces + (taken.get(id) ?? 0)]))
    if (shortageIn(known.levels, together)) return new FastPathUnavailable()
    for (const [id, pieces] of together) taken.set(id, pieces)
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
  if (named && !isWaiting(named)) return new FastPathUnavailable('undecided', named)
  if (own.length > 0) return new FastPathUnavailable()
  const isStale = visitor.customerId === null && versions.get(visitor.id) !== visitor.version
  return isStale ? new FastPathUnavailable() : null
}

/** Refuses an order whose products have changed since it was calculated. */
function productRefusal({ seen }: ReadyOrder, { present }: Known): FastPathUnavailable | null {
  const isCurrent = [...seen.versions].every(([id, version]) => present.get(id)?.asOf === version)
  return isCurrent ? null : new FastPathUnavailable('outdated')
}
