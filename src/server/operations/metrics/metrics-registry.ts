import { Registry } from 'prom-client'

/** What the operator may count. One registry for the process. */
export const metrics = new Registry()
