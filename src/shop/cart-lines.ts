import type { CartLine, SessionState } from './session-state.ts'

/** The largest number of pieces of one line. */
export const maxPieces = 10_000

/** Puts a line into the cart; a line with the same key grows instead. */
export function withLine(state: SessionState, line: CartLine): SessionState {
  const existing = state.lines.find(({ key }) => key === line.key)
  const lines = existing
    ? state.lines.map((one) =>
        one.key === line.key ? { ...one, quantity: Math.min(maxPieces, one.quantity + line.quantity) } : one,
      )
    : [...state.lines, { ...line, quantity: Math.min(maxPieces, line.quantity) }]
  return { ...state, lines, approvedWallet: null }
}

/** Takes a line out, kept so that the step can be undone. The state itself when there is no such line. */
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

/** Puts a removed line back. The state itself when it was not removed. */
export function withRestoredLine(state: SessionState, key: string): SessionState {
  const line = state.removed.find((one) => one.key === key)
  if (!line) return state
  const removed = state.removed.filter((one) => one !== line)
  if (state.lines.some((one) => one.key === key)) return { ...state, removed }
  return { ...state, lines: [...state.lines, line], removed, approvedWallet: null }
}

/** Sets the pieces of lines by key; 0 takes a line out. The state itself when nothing changes. */
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

/** After an order: an empty cart, and the next purchase of the same things is a new intention. */
export function withEmptyCart(state: SessionState, orderId: number): SessionState {
  return {
    ...state,
    lines: [],
    removed: [],
    coupons: [],
    chosenShipping: {},
    awaitingOrder: null,
    approvedWallet: null,
    customerNote: '',
    ownOrders: [...state.ownOrders.filter((id) => id !== orderId), orderId].slice(-20),
    generation: state.generation + 1,
  }
}
