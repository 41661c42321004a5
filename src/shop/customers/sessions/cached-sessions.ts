import type { Database } from '#database/engine/connect.ts'
import { type SessionState, stateOf } from './session-state.ts'

/** A guest's session as this process last read or wrote it, without the token, which is the visitor's alone. */
export type CachedSession = { readonly version: number; readonly state: SessionState; readonly expiresAt: Date }

/** The state as it was stored: a text of its own, which keeps nothing of the form that it was cut out of. */
type Noted = Pick<CachedSession, 'version' | 'expiresAt'> & { readonly json: string }

/** By the pool that they were read through, then by id. Who was longest away leaves first. */
const memories = new WeakMap<Database, Map<string, Noted>>()
const mostKnown = 1_000
/** Some thirty lines. What is longer is read each time, so that whoever fills a thousand carts fills no memory with them. */
const mostCharacters = 8_000

export function cacheSession(db: Database, id: string, { version, json, expiresAt }: Noted): void {
  const memory = memories.get(db) ?? new Map<string, Noted>()
  memories.set(db, memory)
  memory.delete(id)
  if (json.length > mostCharacters) return
  memory.set(id, { version, json, expiresAt })
  for (const oldest of memory.keys()) {
    if (memory.size <= mostKnown) break
    memory.delete(oldest)
  }
}

/** Another process may have changed it since: only a write that has its version as a condition may rest on it. */
export function cachedSession(db: Database, id: string): CachedSession | null {
  const noted = memories.get(db)?.get(id)
  return noted ? { version: noted.version, state: stateOf(JSON.parse(noted.json)), expiresAt: noted.expiresAt } : null
}

export function evictSession(db: Database, id: string): void {
  memories.get(db)?.delete(id)
}
