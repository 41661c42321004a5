/** Whether the run is the long one: `npm test -- --nightly`. */
export const nightly = process.env.NIGHTLY === '1'

/** How often something is tried: as often as every change can afford, or as a night can. */
export const size = (everyRun: number, night: number): number => (nightly ? night : everyRun)
