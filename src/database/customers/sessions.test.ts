import { describe, expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { findSession, saveSession } from './sessions.ts'

const now = new Date('2026-01-01T00:00:00Z')
const expiresAt = new Date('2026-01-03T00:00:00Z')

describe('a session', () => {
  it('is written by the first of two requests that have read the same version', async () => {
    await using db = await aDatabase({ max: 1 })
    const write = (version: number, nr: number) =>
      saveSession(db, { id: 's', version, json: JSON.stringify({ nr }), expiresAt, now })
    expect(await write(0, 1)).toBe(true)
    expect(await write(0, 2)).toBe(false)
    expect(await write(1, 3)).toBe(true)
    expect(await write(1, 4)).toBe(false)
    expect(await findSession(db, 's', now)).toMatchObject({ version: 2, state: { nr: 3 } })
  })

  it('is not written once its time is over', async () => {
    await using db = await aDatabase({ max: 1 })
    const write = (version: number, at: Date) => saveSession(db, { id: 's', version, json: '{}', expiresAt, now: at })
    expect(await write(0, now)).toBe(true)
    expect(await write(1, expiresAt)).toBe(false)
    expect(await write(1, new Date(expiresAt.getTime() - 1))).toBe(true)
  })
})
