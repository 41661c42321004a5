import { queryObjects } from 'node:v8'

/**
 * How many promises this process holds, once all garbage is collected. What is raced against one that never settles stays with
 * it for as long as that lives.
 */
export const countPendingPromises = (): number => queryObjects(Promise, { format: 'count' })
