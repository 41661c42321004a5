import { type Kysely, sql, type Transaction } from 'kysely'
import { columnOf, listOf } from '../engine/array-parameter.ts'
import type { Database } from '../engine/connect.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'
import type { CustomerRole } from '../engine/schema/visitors.ts'

/**
 * A stored visitor. `state` is the last saved state; `shop/customers/sessions/session-state.ts` defines its shape. With
 * a login, state and version belong to the customer and are shared by all devices.
 */
export type SessionRow<State> = {
  version: number
  state: State
  expiresAt: Date
  renewedAt: Date
  /** Time of the first request, or of the login: each login has its own row. */
  beganAt: Date
  customerId: number | null
  role: CustomerRole | null
  /** The login outlives the browser session. */
  remember: boolean
  /** The second factor was verified for this login. */
  secondFactor: boolean
  /** The customer has a second factor. */
  enrolled: boolean
  /** The customer that this guest logged in as: the session has ended, and only requests in progress use it. */
  became: number | null
}

export async function findSession<State>(db: Database, id: string, now: Date): Promise<SessionRow<State> | null> {
  const [row] = await db.sql<
    {
      version: number
      state: State
      expires_at: Date
      updated_at: Date
      created_at: Date
      customer_id: number | null
      role: CustomerRole | null
      remember: boolean
      second_factor: boolean
      enrolled: boolean
      became: number | null
    }[]
  >`
    select coalesce(c.state_version, s.version) as version, coalesce(c.state, s.state) as state,
      s.expires_at, s.updated_at, s.created_at, s.customer_id, c.role, s.remember, s.second_factor,
      f.confirmed_at is not null as enrolled, s.became
    from sessions s left join customers c on c.id = s.customer_id
      left join second_factors f on f.customer_id = c.id
    where s.id = ${id} and s.expires_at > ${now}`
  return row
    ? {
        version: row.version,
        state: row.state,
        expiresAt: row.expires_at,
        renewedAt: row.updated_at,
        beganAt: row.created_at,
        customerId: row.customer_id,
        role: row.role,
        remember: row.remember,
        secondFactor: row.second_factor,
        enrolled: row.enrolled,
        became: row.became,
      }
    : null
}

/**
 * Writes a new version of a session if `version` is still the stored one (0: not stored yet).
 * @param session its state as JSON
 * @returns whether it was written; false if another request was first
 */
export async function saveSession(
  db: Database,
  session: { id: string; version: number; json: string; expiresAt: Date; now: Date },
): Promise<boolean> {
  const { id, version, json, expiresAt, now } = session
  const state = db.sql`${json}::text::jsonb`
  const result =
    version === 0
      ? await db.sql`
          insert into sessions (id, state, expires_at, created_at, updated_at)
          values (${id}, ${state}, ${expiresAt}, ${now}, ${now}) on conflict (id) do nothing`
      : await db.sql`
          update sessions set state = ${state}, version = version + 1, expires_at = ${expiresAt}, updated_at = ${now}
          where id = ${id} and version = ${version} and expires_at > ${now}`
  return result.count === 1
}

/** Returns the stored versions of sessions; expired ones are left out. */
export async function findSessionVersions(
  tx: Transaction<Schema>,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; version: number }>`
    select id, version from sessions where id = any(${listOf(ids, 'text')}) and expires_at > ${now}`.execute(tx)
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/**
 * Writes new versions of sessions, each state as JSON, within a transaction.
 * @returns whether all were written; false: another request was first with one of them
 */
export async function saveSessionsWith(
  tx: Transaction<Schema>,
  sessions: readonly { id: string; version: number; json: string; expiresAt: Date }[],
  now: Date,
): Promise<boolean> {
  if (sessions.length === 0) return true
  const { numAffectedRows } = await sql`
    update sessions set state = next.json::jsonb, version = next.version + 1, expires_at = next.expires_at, updated_at = ${now}
    from unnest(${columnOf(sessions, ({ id }) => id, 'text')}, ${columnOf(sessions, ({ version }) => version, 'int')},
      ${columnOf(sessions, ({ json }) => json, 'text')},
      ${columnOf(sessions, ({ expiresAt }) => expiresAt.toISOString(), 'timestamptz')}) as next (id, version, json, expires_at)
    where sessions.id = next.id and sessions.version = next.version and sessions.expires_at > ${now}`.execute(tx)
  return numAffectedRows === BigInt(sessions.length)
}

/** Records a login on a device. */
export async function insertLogin(
  tx: Transaction<Schema>,
  login: {
    id: string
    customerId: number
    remember: boolean
    device: string
    secondFactor: boolean
    expiresAt: Date
    now: Date
  },
): Promise<void> {
  const { id, customerId, remember, device, secondFactor, expiresAt, now } = login
  await tx
    .insertInto('sessions')
    .values({
      id,
      customer_id: customerId,
      remember,
      device,
      second_factor: secondFactor,
      state: {},
      expires_at: expiresAt,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** Extends a login. */
export async function renewLogin(db: Database, id: string, expiresAt: Date, now: Date): Promise<void> {
  await db.sql`update sessions set expires_at = ${expiresAt}, updated_at = ${now} where id = ${id}`
}

/** Ends a login on one device. The cart stays with the customer. */
export async function endLogin(db: Kysely<Schema>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).where('customer_id', 'is not', null).execute()
}

/**
 * Ends the session of a guest who has logged in. The row stays until `expiresAt`, so that requests in progress find the
 * cart's new owner.
 * @returns its last state, once
 */
export async function retireSession(
  tx: Transaction<Schema>,
  { id, customerId, expiresAt }: { id: string; customerId: number; expiresAt: Date },
): Promise<Record<string, unknown> | null> {
  const row = await tx
    .updateTable('sessions')
    .set(({ eb }) => ({ became: customerId, expires_at: expiresAt, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('customer_id', 'is', null)
    .where('became', 'is', null)
    .returning('state')
    .executeTakeFirst()
  return row?.state ?? null
}

/** Returns a customer's current logins, latest first. */
export function findLogins(
  db: Kysely<Schema>,
  customerId: number,
  now: Date,
): Promise<Pick<Row<'sessions'>, 'id' | 'device' | 'remember' | 'created_at' | 'updated_at'>[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'device', 'remember', 'created_at', 'updated_at'])
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute()
}

/** Ends all logins of a customer except one. @returns the number of ended logins */
export async function endLogins(db: Kysely<Schema>, customerId: number, except: string | null): Promise<number> {
  let query = db.deleteFrom('sessions').where('customer_id', '=', customerId)
  if (except !== null) query = query.where('id', '<>', except)
  const { numDeletedRows } = await query.executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Ends some logins of one customer. @returns the number of ended logins */
export async function endTheseLogins(db: Kysely<Schema>, customerId: number, ids: readonly string[]): Promise<number> {
  const ended = db.deleteFrom('sessions').where('customer_id', '=', customerId).where('id', 'in', ids)
  const { numDeletedRows } = await ended.executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Ends the logins of all customers. Carts of guests and customers stay. @returns the number of ended logins */
export async function endAllLogins(db: Kysely<Schema>): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('customer_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Deletes expired sessions. */
export async function deleteExpiredSessions(db: Database, now: Date): Promise<number> {
  const result = await db.sql`delete from sessions where expires_at < ${now}`
  return result.count
}
