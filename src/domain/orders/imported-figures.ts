import { allocate, money } from '../money/money.ts'
import { multiplyRounded } from '../money/round.ts'

/** A product line as another shop's file states it, in minor units; null: the file does not say. */
export type StatedLine = {
  /** Before discounts. */
  readonly subtotal: number
  readonly subtotalTax: number | null
  readonly total: number | null
  readonly totalTax: number | null
  readonly taxable: boolean
}

export type StatedCharge = { readonly total: number; readonly tax: number | null }

export type StatedFigures = {
  readonly currency: string
  readonly lines: readonly StatedLine[]
  readonly shipping: readonly StatedCharge[]
  readonly fees: readonly StatedCharge[]
  /** Discount of the whole order, for lines without a total of their own. */
  readonly discount: number
  /** Tax of the whole order; null: unknown. */
  readonly tax: number | null
  /** Total of the whole order; null: the sum of its parts. */
  readonly total: number | null
  /** Null: concluded from the total. */
  readonly pricesIncludeTax: boolean | null
}

/** Figures that add up: lines, shipping, fees and `difference`, each with its tax, come to `total`. */
export type SettledFigures = {
  readonly lines: readonly Record<'subtotal' | 'subtotalTax' | 'total' | 'totalTax', number>[]
  readonly shipping: readonly { readonly total: number; readonly tax: number }[]
  readonly fees: readonly { readonly total: number; readonly tax: number }[]
  /** Part of the total that the file does not explain; it may be negative. */
  readonly difference: number
  readonly tax: number
  readonly total: number
  readonly pricesIncludeTax: boolean
}

/**
 * Completes the figures of an order of another shop: shares a stated discount and tax among its parts, and returns
 * amounts without tax. Stated figures of a part are kept; nothing is recalculated by rates.
 */
export function settleImportedFigures(stated: StatedFigures): SettledFigures {
  const { currency } = stated
  const parts = [...discounted(stated), ...stated.shipping, ...stated.fees].map((part, index) => ({
    ...part,
    taxable: stated.lines[index]?.taxable ?? true,
  }))
  const amounts = sumOf(parts.map(({ total }) => total))
  const known = sumOf(parts.map(({ tax }) => tax ?? 0))
  const isComplete = parts.every(({ tax }) => tax !== null)
  const tax = isComplete ? known : Math.max(0, (stated.tax ?? known) - known)
  const included = !isComplete && (stated.pricesIncludeTax ?? endsNearer(stated.total, amounts + known, tax))
  const shares = isComplete ? parts.map(() => 0) : shareTax(tax, parts, currency)
  const settled = parts.map((part, index) => {
    const share = part.tax ?? shares[index] ?? 0
    return { total: included && part.tax === null ? part.total - share : part.total, tax: share }
  })
  const sum = sumOf(settled.map((part) => part.total + part.tax))
  const total = stated.total ?? sum
  const { length } = stated.lines
  return {
    lines: stated.lines.map((line, index) => withSubtotal(line, settled[index] ?? { total: 0, tax: 0 }, included)),
    shipping: settled.slice(length, length + stated.shipping.length),
    fees: settled.slice(length + stated.shipping.length),
    difference: total - sum,
    tax: sumOf(settled.map((part) => part.tax)),
    total,
    pricesIncludeTax: stated.pricesIncludeTax ?? included,
  }
}

/** Shares the discount of the order among lines without a total, as far as they reach. */
function discounted({ lines, discount, currency }: StatedFigures): StatedCharge[] {
  const open = lines.map(({ total, subtotal }) => (total === null ? Math.max(0, subtotal) : 0))
  const off = Math.min(Math.max(0, discount), sumOf(open))
  const shares = off === 0 ? [] : allocate(money(off, currency), open)
  return lines.map(({ subtotal, total, totalTax }, index) => ({
    total: total ?? subtotal - (shares[index]?.minor ?? 0),
    tax: totalTax,
  }))
}

/** Shares a tax among parts without one of their own, by their amounts. */
function shareTax(
  tax: number,
  parts: readonly { total: number; tax: number | null; taxable: boolean }[],
  currency: string,
): number[] {
  const weights = (of: 'taxable' | 'all') =>
    parts.map((part) => (part.tax === null && (of === 'all' || part.taxable) ? Math.max(0, part.total) : 0))
  const wanted = [weights('taxable'), weights('all')].find((one) => sumOf(one) > 0)
  if (tax === 0 || !wanted) return parts.map(() => 0)
  return allocate(money(tax, currency), wanted).map(({ minor }) => minor)
}

/** Reports whether the amounts without the tax come nearer to the total than with it. */
function endsNearer(total: number | null, amounts: number, tax: number): boolean {
  return total !== null && tax > 0 && Math.abs(total - amounts) < Math.abs(total - amounts - tax)
}

/** Completes a line before discounts with the tax rate of its total. */
function withSubtotal(
  { subtotal, subtotalTax }: StatedLine,
  { total, tax }: { readonly total: number; readonly tax: number },
  included: boolean,
): SettledFigures['lines'][number] {
  const figures = (net: number, netTax: number) => ({ subtotal: net, subtotalTax: netTax, total, totalTax: tax })
  if (subtotalTax !== null) return figures(subtotal, subtotalTax)
  const base = included ? total + tax : total
  if (base <= 0 || tax === 0) return figures(subtotal, 0)
  const own = multiplyRounded(subtotal, tax, base, 'half-up')
  return figures(included ? subtotal - own : subtotal, own)
}

const sumOf = (figures: readonly number[]) => figures.reduce((sum, figure) => sum + figure, 0)
