import type { CartLine, SessionState } from './session-state.ts'

/**
 * Applies a guest's late change to the cart of the customer that the guest logged in as: quantities, coupons and
 * orders. Addresses and everything else stay the customer's.
 */
export function carriedOver(customer: SessionState, before: SessionState, after: SessionState): SessionState {
  const lines = changedLines(customer.lines, before.lines, after.lines)
  const coupons = changedList(customer.coupons, before.coupons, after.coupons)
  const ownOrders = changedList(customer.ownOrders, before.ownOrders, after.ownOrders)
  const changed = lines !== customer.lines || coupons !== customer.coupons || ownOrders !== customer.ownOrders
  return changed ? { ...customer, lines, coupons, ownOrders } : customer
}

function changedLines(
  own: readonly CartLine[],
  before: readonly CartLine[],
  after: readonly CartLine[],
): readonly CartLine[] {
  const byKey = new Map(own.map((line) => [line.key, line]))
  let changed = false
  for (const key of new Set([...before, ...after].map((line) => line.key))) {
    const now = after.find((line) => line.key === key)
    const more = (now?.quantity ?? 0) - (before.find((line) => line.key === key)?.quantity ?? 0)
    const line = byKey.get(key) ?? now
    if (more === 0 || !line) continue
    const quantity = (byKey.get(key)?.quantity ?? 0) + more
    if (quantity > 0) byKey.set(key, { ...line, quantity })
    else byKey.delete(key)
    changed = true
  }
  return changed ? [...byKey.values()] : own
}

function changedList<Value>(
  own: readonly Value[],
  before: readonly Value[],
  after: readonly Value[],
): readonly Value[] {
  const more = after.filter((value) => !before.includes(value) && !own.includes(value))
  const gone = before.filter((value) => !after.includes(value) && own.includes(value))
  if (more.length === 0 && gone.length === 0) return own
  return [...own.filter((value) => !gone.includes(value)), ...more]
}
