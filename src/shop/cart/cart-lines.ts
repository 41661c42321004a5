import { isDeepStrictEqual } from 'node:util'
import type { OrderItem } from '#database/orders/orders.ts'
import type { CartLine, SessionState } from '../customers/sessions/session-state.ts'
import { lineFacts } from '../orders/order-lines.ts'

/** Maximum quantity of one line. */
export const maxPieces = 10_000

/** Adds a line to the cart; a line with the same key grows instead. */
export function withLine(state: SessionState, line: CartLine): SessionState {
  const existing = state.lines.find(({ key }) => key === line.key)
  const lines = existing
    ? state.lines.map((one) =>
        one.key === line.key ? { ...one, quantity: Math.min(maxPieces, one.quantity + line.quantity) } : one,
      )
    : [...state.lines, { ...line, quantity: Math.min(maxPieces, line.quantity) }]
  return { ...state, lines, approvedWallet: null }
}

/** Removes a line and keeps it for undo. Returns the same state when there is no such line. */
export function withoutLine(state: SessionState, key: string): SessionState {
  const line = state.lines.find((one) => one.key === key)
  if (!line) return state
  return {
    ...state,
    lines: state.lines.filter((one) => one !== line),
    removed: [...state.removed.filter((one) => one.key !== key), line].slice(-20),
    approvedWallet: null,
  }
}

/** Restores a removed line. Returns the same state when it was not removed. */
export function withRestoredLine(state: SessionState, key: string): SessionState {
  const line = state.removed.find((one) => one.key === key)
  if (!line) return state
  const removed = state.removed.filter((one) => one !== line)
  if (state.lines.some((one) => one.key === key)) return { ...state, removed }
  return { ...state, lines: [...state.lines, line], removed, approvedWallet: null }
}

/** Sets quantities by line key; 0 removes a line. Returns the same state when nothing changes. */
export function withQuantities(state: SessionState, quantities: ReadonlyMap<string, number>): SessionState {
  let next = state
  for (const [key, quantity] of quantities) {
    const line = next.lines.find((one) => one.key === key)
    if (!line || line.quantity === quantity) continue
    next =
      quantity <= 0
        ? withoutLine(next, key)
        : {
            ...next,
            lines: next.lines.map((one) => (one === line ? { ...one, quantity: Math.min(maxPieces, quantity) } : one)),
            approvedWallet: null,
          }
  }
  return next
}

export type Bought = {
  readonly orderId: number
  readonly lines: readonly Pick<CartLine, 'productId' | 'variationId' | 'attributes' | 'quantity'>[]
  /** Codes of the used coupons. */
  readonly coupons: readonly string[]
}

/**
 * Removes purchased lines after an order, and starts a new intention for the next purchase. Lines added by another tab
 * or a login stay.
 */
export function withoutPurchasedLines(state: SessionState, { orderId, lines: bought, coupons }: Bought): SessionState {
  const lines = linesWithout(state.lines, bought)
  const isEmpty = lines.length === 0
  return {
    ...state,
    lines,
    removed: isEmpty ? [] : state.removed,
    coupons: isEmpty ? [] : state.coupons.filter((code) => !coupons.includes(code)),
    chosenShipping: {},
    awaitingOrder: isEmpty || state.awaitingOrder === orderId ? null : state.awaitingOrder,
    approvedWallet: null,
    customerNote: '',
    ownOrders: [...state.ownOrders.filter((id) => id !== orderId), orderId].slice(-20),
    generation: state.generation + 1,
  }
}

/** Returns the lines that an order removes from its visitor's cart. */
export function purchasedLines(orderId: number, items: readonly OrderItem[]): Bought {
  const lines = items.flatMap((item) => {
    const { type, product_id: productId, variation_id: variationId, quantity } = item
    if (type !== 'line_item' || productId === null) return []
    return [{ productId, variationId, quantity, attributes: lineFacts(item).attributes }]
  })
  return { orderId, lines, coupons: items.flatMap(({ type, name }) => (type === 'coupon' ? [name] : [])) }
}

function linesWithout(lines: readonly CartLine[], bought: Bought['lines']): CartLine[] {
  const left = [...lines]
  for (const { quantity, ...item } of bought) {
    const at = left.findIndex(
      (line) =>
        line.productId === item.productId &&
        line.variationId === item.variationId &&
        isDeepStrictEqual({ ...line.attributes }, { ...item.attributes }),
    )
    const line = left[at]
    if (!line) continue
    if (line.quantity > quantity) left[at] = { ...line, quantity: line.quantity - quantity }
    else left.splice(at, 1)
  }
  return left
}
