import { type CustomerRow, lockCustomer } from '#database/customers/customers.ts'
import { findSecondFactor } from '#database/customers/second-factors.ts'
import { endLogin, findSession, insertLogin } from '#database/customers/sessions.ts'
import { transaction } from '#database/engine/connect.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { changeSession, freshSession, rights, type VisitSession } from './visit-session.ts'

const halfLoginMs = 30 * 60_000

/**
 * A login with a verified password and a pending second factor. It is stored beside the visitor's session, which stays
 * a guest's: no reader of the session can take this visitor for the customer.
 */
export type HalfLogin = {
  readonly customerId: number
  /** The completed login shall outlive the browser session. */
  readonly remember: boolean
}

/** Returns the row id of the half login of a session's token. No token has this digest. */
export function halfLoginId(token: string): string {
  return sha256(`half login|${token}`)
}

/** Checks whether a customer has a confirmed second factor. Only staff have one. */
export async function isEnrolled(
  { db }: Pick<Tools, 'db'>,
  customer: Pick<CustomerRow, 'id' | 'role'>,
): Promise<boolean> {
  if (customer.role === 'customer') return false
  const factor = await findSecondFactor(db.kysely, customer.id)
  return factor !== undefined && factor.confirmed_at !== null
}

/** Records that this visitor entered a customer's password. Session and cart stay the guest's. */
export async function beginHalfLogin(
  tools: Tools,
  before: VisitSession,
  customer: Pick<CustomerRow, 'id'>,
  { remember, device }: { remember: boolean; device: string },
): Promise<VisitSession> {
  const session = await storedGuest(tools, before)
  const now = tools.clock.now()
  const id = halfLoginId(session.token)
  const expiresAt = new Date(now.getTime() + halfLoginMs)
  await transaction(tools, async (tx) => {
    await lockCustomer(tx, customer.id)
    await endLogin(tx, id)
    await insertLogin(tx, { id, customerId: customer.id, remember, device, secondFactor: false, expiresAt, now })
  })
  return session
}

/** Returns a stored session of the guest: the half login depends on its token. */
async function storedGuest(tools: Tools, before: VisitSession): Promise<VisitSession> {
  const guest = before.customerId === null && before.became === null ? before : freshSession(tools)
  if (guest.version > 0) return guest
  return (await changeSession(tools, guest, (state) => ({ state: { ...state }, result: undefined }))).session
}

/** Returns a visitor's half login; null if none is pending. */
export async function findHalfLogin(tools: Tools, session: VisitSession): Promise<HalfLogin | null> {
  if (session.customerId !== null || session.version === 0 || session.became !== null) return null
  const row = await findSession(tools.db, halfLoginId(session.token), tools.clock.now())
  if (!row || row.customerId === null) return null
  const { customerId, remember, enrolled } = row
  const { owes } = rights(tools, { role: row.role ?? 'customer', enrolled, shown: false })
  return owes === 'code' ? { customerId, remember } : null
}

/** Deletes the half login. */
export function endHalfLogin(tools: Tools, { token }: VisitSession): Promise<void> {
  return endLogin(tools.db.kysely, halfLoginId(token))
}
