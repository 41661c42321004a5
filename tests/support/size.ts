/** Whether the run is the long one: `npm run test:nightly`. */
export const nightly = process.env.NIGHTLY === '1'

/** How often something is tried: as often as every change can afford, or as a night can. */
export const size = (everyRun: number, night: number): number => (nightly ? night : everyRun)

/**
 * The seed of what a test draws at random. Every change draws the same, `usual`; each nightly run draws anew, and prints `SEED`, which
 * repeats it.
 */
export const seedOr = (usual: number): number => Number(process.env.SEED ?? usual)
