import { type Bits, countBits } from './bit-set.ts'
import type { ProductIndex } from './product-index.ts'

/** From `from` to `to`, both included, in whole minor units as entered; one range for each tax group. */
export type PriceRange = { readonly from: number; readonly to: number }

/** Keeps in `found` the products with a price in the range of their tax group. */
export function keepPriced({ columns, meter }: ProductIndex, found: Bits, ranges: readonly PriceRange[]): Bits {
  const { lowest, highest, taxGroup } = columns
  const priced = found.slice()
  const from = Float64Array.from(ranges, (range) => range.from)
  const to = Float64Array.from(ranges, (range) => range.to)
  for (let at = 0; at < found.length; at += 1) {
    let kept = found[at] ?? 0
    for (let word = kept; word !== 0; word &= word - 1) {
      const bit = 31 - Math.clz32(word & -word)
      const nr = at * 32 + bit
      const group = taxGroup[nr] ?? 0
      // A missing price (NaN) compares as false.
      if (!((highest[nr] ?? 0) >= (from[group] ?? 0) && (lowest[nr] ?? 0) <= (to[group] ?? 0))) kept &= ~(1 << bit)
    }
    priced[at] = kept
  }
  meter.steps += countBits(found)
  return priced
}

/** Returns the lowest and highest entered price of each tax group; null without products in it. */
export function priceSpans({ columns, meter }: ProductIndex, found: Bits, groups: number): (PriceRange | null)[] {
  const { lowest, highest, taxGroup } = columns
  const from = new Float64Array(groups).fill(Number.POSITIVE_INFINITY)
  const to = new Float64Array(groups).fill(Number.NEGATIVE_INFINITY)
  for (let at = 0; at < found.length; at += 1) {
    for (let word = found[at] ?? 0; word !== 0; word &= word - 1) {
      const nr = at * 32 + 31 - Math.clz32(word & -word)
      const group = taxGroup[nr] ?? 0
      if ((lowest[nr] ?? 0) < (from[group] ?? 0)) from[group] = lowest[nr] ?? 0
      if ((highest[nr] ?? 0) > (to[group] ?? 0)) to[group] = highest[nr] ?? 0
    }
  }
  meter.steps += countBits(found)
  return Array.from(from, (low, group) => (low <= (to[group] ?? 0) ? { from: low, to: to[group] ?? 0 } : null))
}
