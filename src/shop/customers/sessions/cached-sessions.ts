import type { Database } from '#database/engine/connect.ts'
import { type SessionState, stateOf } from './session-state.ts'

/** A guest's session as this process last read or wrote it, without the token, which only the visitor has. */
export type CachedSession = { readonly version: number; readonly state: SessionState; readonly expiresAt: Date }

/** The state as stored: a separate string, which does not retain the form that contained it. */
type Noted = Pick<CachedSession, 'version' | 'expiresAt'> & { readonly json: string }

/** By connection pool, then by id. The least recently used is evicted first. */
const memories = new WeakMap<Database, Map<string, Noted>>()
const mostKnown = 1_000
/** About thirty lines. Larger states are not cached, so that many full carts cannot exhaust the memory. */
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

/**
 * Returns a cached session. Another process may have changed it: only a write on condition of its version may rely on
 * it.
 */
export function cachedSession(db: Database, id: string): CachedSession | null {
  const noted = memories.get(db)?.get(id)
  return noted ? { version: noted.version, state: stateOf(JSON.parse(noted.json)), expiresAt: noted.expiresAt } : null
}

export function evictSession(db: Database, id: string): void {
  memories.get(db)?.delete(id)
}
