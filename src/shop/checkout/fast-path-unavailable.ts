import type { PresentProduct } from '#database/cart/cart-products.ts'
import type { StockLevel } from '#database/catalog/stock.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { stockFault } from '#domain/cart/stock.ts'
import { withRefreshedSnapshots } from '../cart/line-changes.ts'
import { type StockShortage, shortageIn } from '../orders/reserve-order-stock.ts'
import type { Tools } from '../shared/tools.ts'
import { isWaiting, quantitiesByStock } from './place-order.ts'
import type { ReadyOrder } from './ready-order.ts'

/** The fast path cannot place the order. Nothing was changed for it. */
export class FastPathUnavailable extends Error {
  /** `outdated`: the facts of the calculation have changed. */
  readonly why: 'outdated' | 'undecided'
  /** Order that the same press made before. */
  readonly order: OrderRow | null
  /** The product that is sold out by now. */
  readonly shortage: StockShortage | null
  constructor(
    why: 'outdated' | 'undecided' = 'undecided',
    order: OrderRow | null = null,
    shortage: StockShortage | null = null,
  ) {
    super(why)
    this.why = why
    this.order = order
    this.shortage = shortage
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
  tools: Tools,
  asked: readonly ReadyOrder[],
  known: Known,
): (FastPathUnavailable | null)[] {
  const taken = new Map<number, number>()
  return asked.map((one) => {
    const needs = quantitiesByStock(one.wanted.quote)
    const refusal = conflictRefusal(one, known) ?? productCheck(tools, one, known, taken)
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

/** Returns the check of products: unchanged facts, and enough unreserved stock after the earlier orders. */
function productCheck(
  { settings, exchange }: Tools,
  { seen, visitor }: ReadyOrder,
  { present }: Known,
  taken: ReadonlyMap<number, number>,
): FastPathUnavailable | null {
  for (const [id, version] of seen.versions) {
    if (present.get(id)?.asOf !== version) return new FastPathUnavailable('outdated')
  }
  const entries = seen.entries.map((entry) => {
    const { stockQuantity = null, ...now } = present.get(entry.product.id) ?? {}
    const left = stockQuantity === null ? null : stockQuantity - (taken.get(entry.product.stockOwner ?? 0) ?? 0)
    return { ...entry, product: { ...entry.product, ...now, stockQuantity: left } }
  })
  const lines = entries.map(({ line, product }) => ({ ...product, key: line.key, quantity: line.quantity }))
  const fault = stockFault(lines, settings.outOfStockAmount)
  const short = fault?.reason === 'out-of-stock' && entries.find(({ line }) => line.key === fault.key)
  if (short) return new FastPathUnavailable('undecided', null, { productId: short.product.id, available: 0 })
  if (fault) return new FastPathUnavailable()
  return withRefreshedSnapshots(visitor.state, entries, exchange.from).announced.length > 0
    ? new FastPathUnavailable()
    : null
}
