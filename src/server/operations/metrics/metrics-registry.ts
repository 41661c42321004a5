import { Registry } from 'prom-client'

/** The metrics of the process, in one registry. */
export const metrics = new Registry()
