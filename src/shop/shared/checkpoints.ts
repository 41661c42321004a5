/**
 * What is written down in one piece: `S1`, `S2`, … are the steps of a purchase, the others what else a visitor, the provider
 * or the minute job has the shop do.
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

/** What is asked of the provider, with a row that is written before and closed after it. */
const calls = ['S6', 'S8 new figures', 'S15', 'S15 setup', 'S16', 'release'] as const

/** Where the end of a capture is one with the end of the order: `S12` and `S13` are written down together. */
const single = [
  'S11 before commit',
  'S11 attempt written',
  'S11 called',
  'S12 before commit',
  'S13 after commit',
  'before the answer',
] as const

export type Commit = (typeof commits)[number]

/** Where a process may die: around what it writes down, around what it asks of the provider, and before it answers. */
export type Checkpoint =
  | `${Commit} ${'before' | 'after'} commit`
  | `${(typeof calls)[number]} ${'before commit' | 'attempt written' | 'called' | 'recorded'}`
  | (typeof single)[number]

/** All there are, so that tests can show that none is left out. */
export const checkpoints: readonly Checkpoint[] = [
  ...commits.flatMap((what) => [`${what} before commit`, `${what} after commit`] as const),
  ...calls.flatMap(
    (what) => [`${what} before commit`, `${what} attempt written`, `${what} called`, `${what} recorded`] as const,
  ),
  ...single,
]
