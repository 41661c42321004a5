import { dice } from './shared/dice.ts'

/** Whether the run is the long one: `npm run test:nightly`. */
export const nightly = process.env.NIGHTLY === '1'

/** How often something is tried: as often as every change can afford, or as a night can. */
export const size = (everyRun: number, night: number): number => (nightly ? night : everyRun)

/**
 * The seed of what a test draws at random. Every change draws the same, `usual`; each nightly run draws anew, and prints `SEED`, which
 * repeats it.
 */
export const seedOr = (usual: number): number => Number(process.env.SEED ?? usual)

/** Of everything that draws no seed of its own. */
export const usualSeed = 20_261_128

/** Whether this run takes a sample of each matrix: `npm test` does. A night, and files that are run by themselves, take all rows. */
export const samples = process.env.SAMPLE === '1'

/** What such a run tries of the rows of a matrix: one in ten, and one at least, drawn by the seed. */
export function sampled<Row>(rows: readonly Row[], wanted = samples): Row[] {
  if (!wanted) return [...rows]
  const throwDie = dice(seedOr(usualSeed) + rows.length)
  const left = rows.map((_, at) => at)
  const drawn = Array.from({ length: Math.ceil(rows.length / 10) }, () => left.splice(throwDie(left.length), 1)[0])
  return rows.filter((_, at) => drawn.includes(at))
}
