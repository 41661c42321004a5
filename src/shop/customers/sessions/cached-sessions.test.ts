import { describe, expect, it } from 'vitest'
import type { Database } from '#database/engine/connect.ts'
import { cachedSession, cacheSession, evictSession } from './cached-sessions.ts'
import { emptySession } from './session-state.ts'

// Only compared, never queried.
const aPool = () => ({}) as Database
const expiresAt = new Date('2026-01-03T00:00:00Z')
const aSession = (version: number, customerNote = '') => ({
  version,
  json: JSON.stringify({ customerNote }),
  expiresAt,
})

describe('sessions that are remembered', () => {
  it('are those of their own pool, as they were noted last, and without the token', () => {
    const db = aPool()
    cacheSession(db, 's', aSession(1))
    const withToken = { ...aSession(2, 'ring twice'), token: 'secret' }
    cacheSession(db, 's', withToken)
    expect(cachedSession(db, 's')).toEqual({
      version: 2,
      state: { ...emptySession, customerNote: 'ring twice' },
      expiresAt,
    })
    expect(cachedSession(aPool(), 's')).toBeNull()
    evictSession(db, 's')
    expect(cachedSession(db, 's')).toBeNull()
  })

  it('are a thousand at most; who was longest away leaves first', () => {
    const db = aPool()
    for (let nr = 0; nr < 1_000; nr += 1) cacheSession(db, `s${nr}`, aSession(1))
    cacheSession(db, 's0', aSession(2))
    cacheSession(db, 'one more', aSession(1))
    expect([cachedSession(db, 's0')?.version, cachedSession(db, 's1'), cachedSession(db, 's2')?.version]).toEqual([
      2,
      null,
      1,
    ])
  })

  it('are not those that are long, nor what they were before', () => {
    const db = aPool()
    cacheSession(db, 's', aSession(1))
    cacheSession(db, 's', aSession(2, 'x'.repeat(10_000)))
    expect(cachedSession(db, 's')).toBeNull()
  })
})
