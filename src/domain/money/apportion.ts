import { toSafeNumber } from './round.ts'

/**
 * Rounds exact figures to whole units so that they make the wanted sum: each becomes the whole number below or above it.
 * What the numbers below leave over goes to the largest remainders, on a tie to the earlier figure; a wanted sum that is
 * further away than that is reached by going round once more. Figures of zero stay zero while there are others.
 * @param figures in parts of which `partsPerUnit` make one unit
 */
export function apportion(figures: readonly bigint[], partsPerUnit: bigint, wanted: number): number[] {
  const parts = figures.map((figure, index) => {
    const remainder = ((figure % partsPerUnit) + partsPerUnit) % partsPerUnit
    return { index, units: toSafeNumber((figure - remainder) / partsPerUnit), remainder, zero: figure === 0n }
  })
  const shared = parts.some(({ zero }) => !zero) ? parts.filter(({ zero }) => !zero) : parts
  const order = shared.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  )
  let left = wanted - parts.reduce((sum, { units }) => sum + units, 0)
  const step = left < 0 ? -1 : 1
  // Downwards the smallest remainder goes first.
  const round = step > 0 ? order : order.toReversed()
  while (left !== 0 && round.length > 0) {
    for (const part of round) {
      if (left === 0) break
      part.units += step
      left -= step
    }
  }
  return parts.map(({ units }) => units + 0)
}
