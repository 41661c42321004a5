import type { State } from './reliability.ts'

type Words = { readonly sign: string; readonly words: string; readonly means: string }

/** Each state by a sign as well: colour alone tells nobody on paper. */
export const stateWords: Readonly<Record<State, Words>> = {
  held: { sign: '✓', words: 'held', means: 'held: its tests ran and passed' },
  failed: { sign: '✕', words: 'failed', means: 'a test of it failed' },
  missing: { sign: '?', words: 'no test ran', means: 'asked for, and no test of it ran' },
  later: { sign: '…', words: 'not yet', means: 'not asked for yet, with the reason' },
  beyond: { sign: '+', words: 'tested', means: 'tested, though not asked for' },
  none: { sign: '·', words: 'does not apply', means: 'cannot happen there' },
}

/** A length of time as people read it: `4 s`, `12 min`. */
export function minutes(seconds: number): string {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}

/** `1 test`, `2,000 tests`. */
export function testCount(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'test' : 'tests'}`
}
