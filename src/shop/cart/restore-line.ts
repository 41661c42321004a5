import { availablePieces, isInStock } from '#domain/cart/stock.ts'
import type { SessionState } from '../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../customers/sessions/visit-session.ts'
import type { Tools } from '../shared/tools.ts'
import { withQuantities, withRestoredLine } from './cart-lines.ts'
import { quoteCart } from './quote-cart.ts'

export type RestoreResult =
  | { kind: 'restored' }
  /** Restored with the available quantity. */
  | { kind: 'fewer'; name: string; pieces: number }
  | { kind: 'sold-out' | 'not-sold'; name: string }
  /** No line was removed under this key, or it is in the cart again. */
  | { kind: 'nothing' }

/** Restores a line that the visitor removed, as far as it is available. */
export async function restoreLine(
  tools: Tools,
  session: VisitSession,
  key: string,
): Promise<{ session: VisitSession; result: RestoreResult }> {
  const restored = withRestoredLine(session.state, key)
  const line = restored.lines.find((one) => one.key === key)
  if (!line || session.state.lines.includes(line)) return { session, result: { kind: 'nothing' } }
  const { entries, dropped } = await quoteCart(tools, session.id, restored)
  const entry = entries.find((one) => one.line.key === key)
  if (!entry) {
    const name = dropped.find((one) => one.line.key === key)?.name ?? ''
    return { session, result: { kind: 'not-sold', name } }
  }
  const { product } = entry
  const available = availablePieces(product)
  const taken = entries.reduce(
    (pieces, other) =>
      other !== entry && other.product.stockOwner === product.stockOwner ? pieces + other.line.quantity : pieces,
    0,
  )
  const left = available === null ? line.quantity : Math.max(0, available - taken)
  if (!isInStock(product, tools.settings.outOfStockAmount) || left === 0)
    return { session, result: { kind: 'sold-out', name: product.name } }
  const pieces = Math.min(line.quantity, left)
  const putBack = (state: SessionState) => {
    const next = withRestoredLine(state, key)
    return next === state ? state : withQuantities(next, new Map([[key, pieces]]))
  }
  const changed = await changeSession(tools, session, (state) => ({ state: putBack(state), result: undefined }), 'S2')
  const result: RestoreResult =
    pieces < line.quantity ? { kind: 'fewer', name: product.name, pieces } : { kind: 'restored' }
  return { session: changed.session, result }
}
