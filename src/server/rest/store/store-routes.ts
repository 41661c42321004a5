import type { Call } from '../../calls/shared/define-call.ts'

/** Every call of the Store API. A fixed path precedes a path with an id in its place. */
export const storeCalls: readonly Call[] = []
