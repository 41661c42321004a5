import { dice } from './dice.ts'

/** Whether the run is the long one: `npm run test:nightly`. */
export const nightly = process.env.NIGHTLY === '1'

/** How often something is tried: as often as every change can afford, or as a night can. */
export const size = (everyRun: number, night: number): number => (nightly ? night : everyRun)

/**
 * The seed of what a test draws at random. Every change draws the same, `usual`; each nightly run draws anew, and prints `SEED`, which
 * repeats it.
 */
export const seedOr = (usual: number): number => Number(process.env.SEED ?? usual)

/**
 * What a change tries of the rows of a table: one in ten, and one at least, drawn by the seed. A night tries all of them.
 * Rows with one code path each stay in every run: this is for tables that send many cases through the same one.
 */
export function sampled<Row>(rows: readonly Row[], oneIn = 10): Row[] {
  if (nightly) return [...rows]
  const throwDie = dice(seedOr(usualSeed) + rows.length)
  const left = rows.map((_, at) => at)
  const drawn = Array.from({ length: Math.ceil(rows.length / oneIn) }, () => left.splice(throwDie(left.length), 1)[0])
  return rows.filter((_, at) => drawn.includes(at))
}

/** Of everything that draws no seed of its own. */
export const usualSeed = 20_261_128
