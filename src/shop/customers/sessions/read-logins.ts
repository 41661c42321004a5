import { endLogins, endTheseLogins, findLogins } from '#database/customers/sessions.ts'
import { browserName } from '#domain/customers/browser-name.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import type { LoginFacts } from '../account-facts.ts'
import type { VisitSession } from './visit-session.ts'

/** Returns a customer's logins, the current device first. */
export async function readLogins(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  { token }: VisitSession,
  customerId: number,
): Promise<LoginFacts[]> {
  const rows = await findLogins(db.kysely, customerId, clock.now())
  const here = sha256(token)
  return rows
    .map((row) => ({
      ref: refOf(row.id),
      ...browserName(row.device),
      since: row.created_at,
      lastSeen: row.updated_at,
      isThis: row.id === here,
    }))
    .sort((one, other) => Number(other.isThis) - Number(one.isThis))
}

/** Discloses neither the token nor the row's id, in case a page is saved. */
const refOf = (id: string) => sha256(`login ${id}`).slice(0, 16)

/**
 * Ends the logins that a form names, except other customers' and the current one.
 * @returns the number of ended logins
 */
export async function logOutOf(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  { token }: VisitSession,
  customerId: number,
  refs: readonly string[],
): Promise<number> {
  const here = sha256(token)
  const rows = await findLogins(db.kysely, customerId, clock.now())
  const ids = rows.map(({ id }) => id).filter((id) => id !== here && refs.includes(refOf(id)))
  return ids.length === 0 ? 0 : endTheseLogins(db.kysely, customerId, ids)
}

/** Ends all logins of a customer except the current one. */
export async function logOutElsewhere({ db }: Pick<Tools, 'db'>, { token }: VisitSession, customerId: number) {
  await endLogins(db.kysely, customerId, sha256(token))
}
