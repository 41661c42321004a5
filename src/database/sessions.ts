import type { Database } from './connect.ts'

/** A stored visitor. `state` is what `saveSession` was given; the owner of its shape is `shop/session-state.ts`. */
export type SessionRow<State> = { version: number; state: State; expiresAt: Date }

export async function findSession<State>(db: Database, id: string, now: Date): Promise<SessionRow<State> | null> {
  const [row] = await db.sql<{ version: number; state: State; expires_at: Date }[]>`
    select version, state, expires_at from sessions where id = ${id} and expires_at > ${now}`
  return row ? { version: row.version, state: row.state, expiresAt: row.expires_at } : null
}

/**
 * Writes a new version of a session if `version` is still the stored one (0: if there is none yet).
 * @returns whether it was written; false means that another request was first
 */
export async function saveSession(
  db: Database,
  session: { id: string; version: number; state: object; expiresAt: Date; now: Date },
): Promise<boolean> {
  const { id, version, expiresAt, now } = session
  const state = db.sql.json(session.state as never)
  const result =
    version === 0
      ? await db.sql`
          insert into sessions (id, state, expires_at, created_at, updated_at)
          values (${id}, ${state}, ${expiresAt}, ${now}, ${now}) on conflict (id) do nothing`
      : await db.sql`
          update sessions set state = ${state}, version = version + 1, expires_at = ${expiresAt}, updated_at = ${now}
          where id = ${id} and version = ${version}`
  return result.count === 1
}

/** Removes sessions whose time is over. */
export async function deleteExpiredSessions(db: Database, now: Date): Promise<number> {
  const result = await db.sql`delete from sessions where expires_at < ${now}`
  return result.count
}
