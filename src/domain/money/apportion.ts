import { toSafeNumber } from './round.ts'

/**
 * Rounds exact figures to whole units with the wanted sum: each becomes the whole number below or above it. The rest
 * goes to the largest remainders, on a tie to the earlier figure; a larger difference takes further rounds. Figures of
 * zero stay zero while there are others.
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
  // Downwards the smallest remainder comes first.
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
