import { endLogins, endTheseLogins, findLogins } from '#database/customers/sessions.ts'
import { browserName } from '#domain/customers/browser-name.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import type { LoginFacts } from '../account-facts.ts'
import type { VisitSession } from './visit-session.ts'

/** Where a customer is logged in, the device that asks first. */
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

/** Neither the token nor what it is known by: a page that somebody saves tells nothing of either. */
const refOf = (id: string) => sha256(`login ${id}`).slice(0, 16)

/**
 * Logs a customer out on the devices that a form names; those of others, and the one that asks, are left alone.
 * @returns how many logins ended
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

/** Logs a customer out on every device but the one that asks. */
export async function logOutElsewhere({ db }: Pick<Tools, 'db'>, { token }: VisitSession, customerId: number) {
  await endLogins(db.kysely, customerId, sha256(token))
}
