import { allocate, money } from '../money/money.ts'

/** A line, parcel or fee of an order, as it was charged. Amounts are minor units; a parcel or fee is one piece. */
export type ChargedItem = { id: number; quantity: number; total: number; tax: number }

/** What a refund gives back of one item. */
export type RefundShare = { itemId: number; quantity: number; total: number; tax: number }

export type RefundPlanInput =
  /** All that is left. */
  | { kind: 'full' }
  /** So much money, for no line in particular. */
  | { kind: 'amount'; minor: number }
  /** So many pieces of these lines, with their tax; of a parcel or a fee: one, all that is left of it. May come to no money. */
  | { kind: 'lines'; lines: readonly { itemId: number; quantity: number }[] }

export type RefundPlan =
  | { ok: true; amount: number; shares: readonly RefundShare[] }
  | { ok: false; reason: RefundPlanRefusal }

export type RefundPlanRefusal =
  | 'nothing-left'
  /** The wish comes to nothing, or is not a whole number of minor units or pieces. */
  | 'nothing-asked'
  | 'above-rest'
  | 'unknown-line'
  | 'more-pieces-than-left'

/**
 * Works out what a refund gives back. Pieces of a line that come back one by one sum to what the line cost, since each takes
 * its share of what is left.
 * @param order what may still be given back of the whole order, its items, and the shares of all refunds before
 */
export function planRefund(
  order: { rest: number; currency: string; items: readonly ChargedItem[]; before: readonly RefundShare[] },
  ask: RefundPlanInput,
): RefundPlan {
  const { rest, currency } = order
  if (rest <= 0 && ask.kind !== 'lines') return { ok: false, reason: 'nothing-left' }
  if (ask.kind === 'amount') {
    if (!Number.isSafeInteger(ask.minor) || ask.minor <= 0) return { ok: false, reason: 'nothing-asked' }
    return ask.minor > rest ? { ok: false, reason: 'above-rest' } : { ok: true, amount: ask.minor, shares: [] }
  }

  const left = new Map(order.items.map((item) => [item.id, leftOf(item, order.before)]))
  if (ask.kind === 'full') {
    const shares = [...left.values()].filter(({ quantity, total, tax }) => quantity > 0 || total !== 0 || tax !== 0)
    // Money that went back for no line in particular is missing somewhere: then the lines give back pieces only.
    const isWhole = shares.reduce((sum, { total, tax }) => sum + total + tax, 0) === rest
    return {
      ok: true,
      amount: rest,
      shares: isWhole ? shares : shares.map((share) => ({ ...share, total: 0, tax: 0 })),
    }
  }

  const shares: RefundShare[] = []
  for (const { itemId, quantity } of ask.lines) {
    const rest = left.get(itemId)
    if (!rest || shares.some((share) => share.itemId === itemId)) return { ok: false, reason: 'unknown-line' }
    if (!Number.isSafeInteger(quantity) || quantity <= 0) return { ok: false, reason: 'nothing-asked' }
    if (quantity > rest.quantity) return { ok: false, reason: 'more-pieces-than-left' }
    const part = (minor: number) =>
      allocate(money(minor, currency), [quantity, rest.quantity - quantity])[0]?.minor ?? 0
    shares.push({ itemId, quantity, total: part(rest.total), tax: part(rest.tax) })
  }
  const amount = shares.reduce((sum, { total, tax }) => sum + total + tax, 0)
  // What was free comes back for nothing, also once all that was paid has been given back.
  const isFree = shares.length > 0 && shares.every(({ total, tax }) => total === 0 && tax === 0)
  if (isFree) return { ok: true, amount: 0, shares }
  if (rest <= 0) return { ok: false, reason: 'nothing-left' }
  if (amount <= 0) return { ok: false, reason: 'nothing-asked' }
  return amount > rest ? { ok: false, reason: 'above-rest' } : { ok: true, amount, shares }
}

function leftOf(item: ChargedItem, before: readonly RefundShare[]): RefundShare {
  const gone = before.filter(({ itemId }) => itemId === item.id)
  const minus = (figure: 'quantity' | 'total' | 'tax') =>
    gone.reduce((left, share) => left - share[figure], item[figure])
  return { itemId: item.id, quantity: minus('quantity'), total: minus('total'), tax: minus('tax') }
}
