/**
 * The four things that reach the code only through an interface, so that the whole shop can run inside a seeded
 * simulation. The composition root (`server/operations/startup/environment.ts`, `cli/execute-command.ts`) hands in the real ones; the fourth,
 * the database, is the connection of `database/engine/connect.ts`.
 */

/** The time, and timers. */
export type Clock = {
  now(): Date
  /** Resolves after `ms` milliseconds, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Randomness: ids, tokens, jitter. */
export type Chance = {
  /** Returns `bytes` random bytes in lower-case hexadecimal. */
  hex(bytes: number): string
  /** Returns `length` random characters of A-Z a-z 0-9, each equally likely. */
  alphanumeric(length: number): string
  /** Returns a version 4 UUID. */
  uuid(): string
  /** Returns a number in [0, 1), for jitter and sampling; never for secrets. */
  fraction(): number
}

/**
 * `reach: 'internet'` is required for every URL of a setting, a file or a message: the call reaches no server in the
 * operator's own network unless the operator has listed it, and follows no redirect. `shop/shared/guarded-fetch.ts`
 * enforces this.
 */
export type OutgoingInit = RequestInit & { readonly reach?: 'internet' }

/** The outgoing network: the standard `fetch`, with limits of its reach. */
export type Network = {
  fetch(url: string | URL, init?: OutgoingInit): Promise<Response>
}

/** The logger: a message with facts. Never tokens, card data, full addresses or email addresses. */
export type Log = {
  info(facts: Record<string, unknown>, message: string): void
  warn(facts: Record<string, unknown>, message: string): void
  error(facts: Record<string, unknown>, message: string): void
}

export type Environment = {
  readonly clock: Clock
  readonly chance: Chance
  readonly network: Network
  readonly log: Log
}
