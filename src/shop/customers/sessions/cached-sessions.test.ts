import { describe, expect, it } from 'vitest'
import type { Database } from '#database/engine/connect.ts'
import { forgetSession, knownSession, noteSession } from './cached-sessions.ts'
import { emptySession } from './session-state.ts'

// Only told apart from another, never asked.
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
    noteSession(db, 's', aSession(1))
    const withToken = { ...aSession(2, 'ring twice'), token: 'secret' }
    noteSession(db, 's', withToken)
    expect(knownSession(db, 's')).toEqual({
      version: 2,
      state: { ...emptySession, customerNote: 'ring twice' },
      expiresAt,
    })
    expect(knownSession(aPool(), 's')).toBeNull()
    forgetSession(db, 's')
    expect(knownSession(db, 's')).toBeNull()
  })

  it('are a thousand at most; who was longest away leaves first', () => {
    const db = aPool()
    for (let nr = 0; nr < 1_000; nr += 1) noteSession(db, `s${nr}`, aSession(1))
    noteSession(db, 's0', aSession(2))
    noteSession(db, 'one more', aSession(1))
    expect([knownSession(db, 's0')?.version, knownSession(db, 's1'), knownSession(db, 's2')?.version]).toEqual([
      2,
      null,
      1,
    ])
  })

  it('are not those that are long, nor what they were before', () => {
    const db = aPool()
    noteSession(db, 's', aSession(1))
    noteSession(db, 's', aSession(2, 'x'.repeat(10_000)))
    expect(knownSession(db, 's')).toBeNull()
  })
})
