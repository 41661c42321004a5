import type { CartProduct } from '#database/cart/cart-products.ts'
import { type LineChange, lineChanges, snapshotOf } from '#domain/cart/line-snapshot.ts'
import type { CartLine, SessionState } from '../customers/sessions/session-state.ts'
import { entryName } from './cart-line-name.ts'
import type { CartEntry } from './evaluated-cart.ts'

export type AnnouncedChange = { readonly name: string; readonly product: CartProduct; readonly change: LineChange }

/**
 * Refreshes the snapshots of lines and returns their changes. Lines of an older release are completed silently. Returns
 * the same state where nothing changes.
 */
export function withRefreshedSnapshots(
  state: SessionState,
  entries: readonly CartEntry[],
  currency: string,
): { state: SessionState; announced: AnnouncedChange[] } {
  const announced: AnnouncedChange[] = []
  const known = new Map(entries.map((entry) => [entry.line.key, entry]))
  const wanted = piecesByOwner(state.lines, known)
  const lines = state.lines.map((line) => {
    const entry = known.get(line.key)
    if (!entry) return line
    const { product, entered } = entry
    const now = snapshotOf(product, entered, currency)
    const pieces = (product.stockOwner !== null && wanted.get(product.stockOwner)) || line.quantity
    const changes = line.seen ? lineChanges(line.seen, now, pieces) : []
    announced.push(...changes.map((change) => ({ name: entryName(entry), product, change })))
    return line.seen && changes.length === 0 ? line : { ...line, seen: now }
  })
  return lines.every((line, place) => line === state.lines[place])
    ? { state, announced }
    : { state: { ...state, lines }, announced }
}

/** Returns the quantity of all lines per stock owner. */
function piecesByOwner(lines: readonly CartLine[], known: ReadonlyMap<string, CartEntry>): Map<number, number> {
  const wanted = new Map<number, number>()
  for (const line of lines) {
    const owner = known.get(line.key)?.product.stockOwner
    if (owner !== null && owner !== undefined) wanted.set(owner, (wanted.get(owner) ?? 0) + line.quantity)
  }
  return wanted
}
