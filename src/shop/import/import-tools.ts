import type { Tools } from '../shared/tools.ts'

/** What an import needs of the shop: it runs from the command line as well, where there is no server. */
export type ImportTools = Pick<Tools, 'db' | 'settings' | 'clock' | 'chance' | 'network'>
