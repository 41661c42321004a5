/**
 * The four things that reach the code only through an interface, so that the whole shop can run inside a seeded
 * simulation. The composition root (`server/operations/startup/environment.ts`, `cli/main.ts`) hands in the real ones; the fourth,
 * the database, is the connection of `database/engine/connect.ts`.
 */

/** The time, and waiting. */
export type Clock = {
  now(): Date
  /** Resolves after `ms` milliseconds, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Everything unpredictable: ids, tokens, jitter. */
export type Chance = {
  /** `bytes` unpredictable bytes in lower-case hexadecimal. */
  hex(bytes: number): string
  /** `length` unpredictable characters out of A-Z a-z 0-9, each equally likely. */
  alphanumeric(length: number): string
  /** A version 4 UUID. */
  uuid(): string
  /** A number in [0, 1), for jitter and sampling; never for secrets. */
  fraction(): number
}

/**
 * `reach: 'internet'` for every call whose address stands in a setting, a file or a message: it ends at no server inside the
 * operator's own network that the operator has not named, and follows no redirect. `shop/shared/guarded-fetch.ts` sees to it.
 */
export type OutgoingInit = RequestInit & { readonly reach?: 'internet' }

/** The outgoing network: the standard `fetch`, and how far it may reach. */
export type Network = {
  fetch(url: string | URL, init?: OutgoingInit): Promise<Response>
}

/** What a part may log: a message with facts. Never tokens, card data, full addresses or mail addresses. */
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
