import type { Database } from '#database/connect.ts'
import type { SessionState } from './session-state.ts'

/** A guest's session as this process last read or wrote it, without the token, which is the visitor's alone. */
export type KnownSession = { readonly version: number; readonly state: SessionState; readonly expiresAt: Date }

/** By the pool that they were read through, then by id. Who was longest away leaves first. */
const memories = new WeakMap<Database, Map<string, KnownSession>>()
const mostKnown = 1_000
/** Some thirty lines. What is longer is read each time, so that whoever fills a thousand carts fills no memory with them. */
const mostCharacters = 8_000

export function noteSession(db: Database, id: string, { version, state, expiresAt }: KnownSession): void {
  const memory = memories.get(db) ?? new Map<string, KnownSession>()
  memories.set(db, memory)
  memory.delete(id)
  const text = JSON.stringify(state)
  if (text.length > mostCharacters) return
  // Made anew: its texts may be cut out of a form, all of which would be kept with them.
  memory.set(id, { version, state: JSON.parse(text), expiresAt })
  for (const oldest of memory.keys()) {
    if (memory.size <= mostKnown) break
    memory.delete(oldest)
  }
}

/** Another process may have changed it since: only a write that has its version as a condition may rest on it. */
export function knownSession(db: Database, id: string): KnownSession | null {
  return memories.get(db)?.get(id) ?? null
}

export function forgetSession(db: Database, id: string): void {
  memories.get(db)?.delete(id)
}
