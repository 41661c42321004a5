import { findSession, saveSession } from '#database/sessions.ts'
import { sha256 } from './digest.ts'
import { emptySession, type SessionState } from './session-state.ts'
import type { Tools } from './tools.ts'

const guestLifeMs = 48 * 60 * 60 * 1000
const renewAfterMs = 24 * 60 * 60 * 1000
const maxTries = 8

/**
 * A visitor's session during one request. The token lives in the visitor's cookie only; the database knows its digest.
 * A row is created, and the cookie sent, only once there is something to keep.
 */
export type VisitSession = {
  readonly id: string
  readonly token: string
  readonly version: number
  readonly state: SessionState
  readonly expiresAt: Date | null
  /** The cookie must be sent, or sent again because its time was extended. */
  readonly cookieDue: boolean
}

/** Finds the session of a cookie's token; an unknown or missing token gives a new, unsaved one under a new token. */
export async function openSession(tools: Tools, token: string | undefined): Promise<VisitSession> {
  const now = tools.clock.now()
  if (token && /^[0-9a-f]{64}$/.test(token)) {
    const id = sha256(token)
    const row = await findSession<SessionState>(tools.db, id, now)
    // The spread gives a session of an older release the fields that were added since.
    if (row) return { id, token, ...row, state: { ...emptySession, ...row.state }, cookieDue: false }
  }
  const fresh = tools.chance.hex(32)
  return { id: sha256(fresh), token: fresh, version: 0, state: emptySession, expiresAt: null, cookieDue: false }
}

/** The session's id where it exists, '' for a visitor without one: what nonces are bound to. */
export function sessionOwner(session: VisitSession): string {
  return session.version > 0 ? session.id : ''
}

/**
 * Applies a change to what is stored now, not to what this request once read: when another request was first, the
 * session is read again and the change applied to that. `change` may run several times and must only compute.
 */
export async function changeSession<Result>(
  tools: Tools,
  session: VisitSession,
  change: (state: SessionState) => { state: SessionState; result: Result },
): Promise<{ session: VisitSession; result: Result }> {
  let current = session
  for (let tries = 0; tries < maxTries; tries++) {
    const { state, result } = change(current.state)
    if (state === current.state) return { session: current, result }

    const now = tools.clock.now()
    const expiresAt = new Date(now.getTime() + guestLifeMs)
    const { id, version } = current
    if (await saveSession(tools.db, { id, version, state, expiresAt, now })) {
      const renewed = !current.expiresAt || current.expiresAt.getTime() - now.getTime() < guestLifeMs - renewAfterMs
      return {
        session: { ...current, version: version + 1, state, expiresAt, cookieDue: current.cookieDue || renewed },
        result,
      }
    }
    const row = await findSession<SessionState>(tools.db, id, now)
    current = row
      ? { ...current, version: row.version, state: { ...emptySession, ...row.state }, expiresAt: row.expiresAt }
      : { ...current, version: 0, state: emptySession, expiresAt: null }
    if (tries > 0) await tools.clock.sleep(tools.chance.fraction() * 10 * tries)
  }
  throw new Error(`the session changed ${maxTries} times while one change of it was tried`)
}
