/** How long something may take to move or fade: no time at all for visitors who asked for less motion. */
export const motionMs = (ms: number): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms)
