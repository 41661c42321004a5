import { allocate, money } from '../money/money.ts'

/** A line, package or fee of an order, as charged, in minor units; a package or fee has quantity 1. */
export type ChargedItem = { id: number; quantity: number; total: number; tax: number }

/** Refund of one item. */
export type RefundShare = { itemId: number; quantity: number; total: number; tax: number }

export type RefundPlanInput =
  /** The whole rest. */
  | { kind: 'full' }
  /** An amount without particular lines. */
  | { kind: 'amount'; minor: number }
  /** Quantities of lines, with their tax; a package or fee has one, its whole rest. The amount may be zero. */
  | { kind: 'lines'; lines: readonly { itemId: number; quantity: number }[] }
  /**
   * Amounts and pieces of lines as a program states them: any part of each. `minor`: the whole amount, which the lines
   * sum to, unless they are pieces alone; null: their sum.
   */
  | { kind: 'stated'; minor: number | null; lines: readonly RefundShare[] }

export type RefundPlan =
  | { ok: true; amount: number; shares: readonly RefundShare[] }
  | { ok: false; reason: RefundPlanRefusal }

export type RefundPlanRefusal =
  | 'nothing-left'
  /** The request is empty, or has fractional minor units or quantities. */
  | 'nothing-asked'
  | 'above-rest'
  | 'unknown-line'
  | 'more-pieces-than-left'
  /** The stated lines do not sum to the stated amount. */
  | 'amount-differs'

/**
 * Calculates a refund. Pieces of a line that are refunded one by one sum to the line's price, since each takes its
 * share of the rest.
 * @param order the refundable rest of the whole order, its items, and the shares of all earlier refunds
 */
export function planRefund(
  order: { rest: number; currency: string; items: readonly ChargedItem[]; before: readonly RefundShare[] },
  ask: RefundPlanInput,
): RefundPlan {
  const { rest, currency } = order
  if (rest <= 0 && ask.kind !== 'lines' && ask.kind !== 'stated') return { ok: false, reason: 'nothing-left' }
  if (ask.kind === 'amount') {
    if (!Number.isSafeInteger(ask.minor) || ask.minor <= 0) return { ok: false, reason: 'nothing-asked' }
    return ask.minor > rest ? { ok: false, reason: 'above-rest' } : { ok: true, amount: ask.minor, shares: [] }
  }

  const left = new Map(order.items.map((item) => [item.id, restOfItem(item, order.before)]))
  if (ask.kind === 'full') {
    const shares = [...left.values()].filter(({ quantity, total, tax }) => quantity > 0 || total !== 0 || tax !== 0)
    // An earlier refund without lines reduced the rest: then lines return pieces only.
    const isWhole = shares.reduce((sum, { total, tax }) => sum + total + tax, 0) === rest
    return {
      ok: true,
      amount: rest,
      shares: isWhole ? shares : shares.map((share) => ({ ...share, total: 0, tax: 0 })),
    }
  }

  if (ask.kind === 'stated') return planStated(rest, left, ask)
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
  // Free items are returned without money, also once everything paid was refunded.
  const isFree = shares.length > 0 && shares.every(({ total, tax }) => total === 0 && tax === 0)
  if (isFree) return { ok: true, amount: 0, shares }
  if (rest <= 0) return { ok: false, reason: 'nothing-left' }
  if (amount <= 0) return { ok: false, reason: 'nothing-asked' }
  return amount > rest ? { ok: false, reason: 'above-rest' } : { ok: true, amount, shares }
}

function planStated(
  rest: number,
  left: ReadonlyMap<number, RefundShare>,
  { minor, lines }: Extract<RefundPlanInput, { kind: 'stated' }>,
): RefundPlan {
  const seen = new Set<number>()
  for (const line of lines) {
    const most = left.get(line.itemId)
    if (!most || seen.has(line.itemId)) return { ok: false, reason: 'unknown-line' }
    seen.add(line.itemId)
    const figures = [line.quantity, line.total, line.tax]
    if (!figures.every((figure) => Number.isSafeInteger(figure) && figure >= 0))
      return { ok: false, reason: 'nothing-asked' }
    if (line.quantity > most.quantity) return { ok: false, reason: 'more-pieces-than-left' }
    if (line.total > most.total || line.tax > most.tax) return { ok: false, reason: 'above-rest' }
  }
  const sum = lines.reduce((all, { total, tax }) => all + total + tax, 0)
  const amount = minor ?? sum
  if (sum !== 0 && sum !== amount) return { ok: false, reason: 'amount-differs' }
  if (!Number.isSafeInteger(amount) || amount < 0) return { ok: false, reason: 'nothing-asked' }
  if (amount > 0 && rest <= 0) return { ok: false, reason: 'nothing-left' }
  return amount > rest ? { ok: false, reason: 'above-rest' } : { ok: true, amount, shares: lines }
}

function restOfItem(item: ChargedItem, before: readonly RefundShare[]): RefundShare {
  const gone = before.filter(({ itemId }) => itemId === item.id)
  const minus = (figure: 'quantity' | 'total' | 'tax') =>
    gone.reduce((left, share) => left - share[figure], item[figure])
  return { itemId: item.id, quantity: minus('quantity'), total: minus('total'), tax: minus('tax') }
}
