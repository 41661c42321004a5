import type { Tools } from '../shared/tools.ts'

/** The dependencies of an import: it also runs from the command line, without a server. */
export type ImportTools = Pick<Tools, 'db' | 'settings' | 'clock' | 'chance' | 'network'>
