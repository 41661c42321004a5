/**
 * Commits: `S1`, `S2`, … are the steps of a purchase, the others are caused by other actions of a visitor, by the
 * provider or by the scheduled task.
 */
const commits = [
  'S1',
  'S2',
  'S3',
  'S4',
  'S5',
  'S8 choice',
  'S8 answer',
  'S9',
  'S10',
  'S10 awaited order',
  'S13 acceptance',
  'S13 at once',
  'S13 cart',
  'login',
  'notification',
  'notification handled',
  'order-pay',
  'abandoned order',
] as const

/** Calls to the provider, with a row that is inserted before and closed after. */
const calls = ['S6', 'S8 new figures', 'S15', 'S15 setup', 'S16', 'release'] as const

/** `S12` and `S13` are one commit where the end of a capture is the end of the order; `S12` ends the call `S11`. */
const single = [
  'S11 before commit',
  'S11 attempt written',
  'S11 called',
  'S12 before commit',
  'S13 after commit',
  'before the answer',
] as const

export type Commit = (typeof commits)[number]

/** Name of a call to the provider in the checkpoints. */
export type ProviderCallName = (typeof calls)[number] | 'S11'

/** Points at which a process may die: around commits, around calls to the provider, and before the response. */
export type Checkpoint =
  | `${Commit} ${'before' | 'after'} commit`
  | `${(typeof calls)[number]} ${'before commit' | 'attempt written' | 'called' | 'recorded'}`
  | (typeof single)[number]

/** All checkpoints, so that tests can prove complete coverage. */
export const checkpoints: readonly Checkpoint[] = [
  ...commits.flatMap((what) => [`${what} before commit`, `${what} after commit`] as const),
  ...calls.flatMap(
    (what) => [`${what} before commit`, `${what} attempt written`, `${what} called`, `${what} recorded`] as const,
  ),
  ...single,
]
