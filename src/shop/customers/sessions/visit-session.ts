import type { Transaction } from 'kysely'
import { findCustomerState, saveCustomerState, saveCustomerStateWith } from '#database/customers/customers.ts'
import { findSession, renewLogin, saveSession, saveSessionsWith } from '#database/customers/sessions.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { CustomerRole } from '#database/engine/schema/visitors.ts'
import { needsSecondFactor, type OwedFactor, owedFactor } from '#domain/customers/second-factor.ts'
import { sha256 } from '../../shared/digest.ts'
import { runSerially } from '../../shared/serial-queue.ts'
import type { Commit, Tools } from '../../shared/tools.ts'
import { carriedOver } from './merge-guest-changes.ts'
import { emptySession, type SessionState, stateOf, storedStateOf } from './session-state.ts'

const hourMs = 60 * 60 * 1000
const guestLifeMs = 48 * hourMs
const renewAfterMs = 24 * hourMs
const staffLifeMs = hourMs / 2
const staffRenewAfterMs = hourMs / 12
/** However active: a working day. */
const staffLongestMs = 12 * hourMs
const maxTries = 8

/**
 * A visitor's session during one request. The token is in the visitor's cookie only; the database has its digest. A row
 * is created, and the cookie sent, only when there is state to store.
 */
export type VisitSession = {
  /** Owner of cart and orders: the session's own id for a guest, the same for all devices of a customer. */
  readonly id: string
  readonly token: string
  /** Digest of the token: a guest's own id, or that of a login. '' where the caller is no device. */
  readonly device: string
  /** The logged-in customer. Null for a guest, and for a half login: see `pending-login.ts`. */
  readonly customerId: number | null
  /** The customer's permissions; null for a guest. Staff with a pending requirement have only those of customers. */
  readonly role: CustomerRole | null
  /** Requirement before this login has staff permissions. A login that still needs its code is no customer session. */
  readonly owes: Exclude<OwedFactor, 'code'> | null
  /** The login outlives the browser session. */
  readonly remember: boolean
  readonly version: number
  readonly state: SessionState
  readonly expiresAt: Date | null
  /** The cookie must be sent, or sent again with an extended lifetime. */
  readonly cookieDue: boolean
  /**
   * The customer that this guest has just logged in as. Late requests under the old token change the customer's cart,
   * and see nothing of it.
   */
  readonly became: number | null
}

/** Returns the session id of a customer's cart and orders. */
export function customerSessionId(customerId: number): string {
  return `customer:${customerId}`
}

/**
 * Returns the end of a login: two days after the last request, or fourteen with "remember me"; for staff half an hour.
 * The absolute limit is a number of days after its start, for staff twelve hours.
 * @param began when the password was entered
 */
export function loginEnd(
  { settings }: Pick<Tools, 'settings'>,
  login: Pick<VisitSession, 'remember' | 'role' | 'owes'>,
  began: Date,
  now: Date,
): Date {
  const [lifeMs, longestMs] = isStaff(login)
    ? [staffLifeMs, staffLongestMs]
    : [(login.remember ? 14 * 24 : 48) * hourMs, settings.accounts.loginDays * 24 * hourMs]
  return new Date(Math.min(now.getTime() + lifeMs, began.getTime() + longestMs))
}

const isStaff = ({ role, owes }: Pick<VisitSession, 'role' | 'owes'>) => role !== 'customer' || owes !== null

/** Returns the permissions of a login, and its pending requirement. One that still needs its code has none. */
export function rights(
  { settings, publicUrl }: Pick<Tools, 'settings' | 'publicUrl'>,
  login: { role: CustomerRole; enrolled: boolean; shown: boolean },
): { role: CustomerRole; owes: OwedFactor | null } {
  const owes = owedFactor(login, needsSecondFactor(settings.staff.secondFactor, publicUrl))
  return { role: owes === null ? login.role : 'customer', owes }
}

/** Returns a new session without stored state. */
export function freshSession(tools: Pick<Tools, 'chance'>): VisitSession {
  const token = tools.chance.hex(32)
  const device = sha256(token)
  return { ...guest, id: device, device, token, version: 0, state: emptySession, expiresAt: null }
}

const guest = { customerId: null, role: null, owes: null, remember: false, cookieDue: false, became: null } as const

const tokenForm = /^[0-9a-f]{64}$/

/** Finds the session of a cookie's token; an unknown or missing token gives a new, unsaved one under a new token. */
export async function openSession(tools: Tools, token: string | undefined): Promise<VisitSession> {
  if (!token || !tokenForm.test(token)) return freshSession(tools)
  return (await readDevice(tools, sha256(token), token)) ?? freshSession(tools)
}

/**
 * Finds the session of a device that a signed token names. A device without a row gets its first one under this id.
 * @param device as in `VisitSession.device`
 */
export async function openSessionOfDevice(tools: Tools, device: string): Promise<VisitSession> {
  const known = await readDevice(tools, device, '')
  return known ?? { ...guest, id: device, device, token: '', version: 0, state: emptySession, expiresAt: null }
}

/** Returns the session of a device; null without a row. A login that is over or incomplete gives a new session. */
async function readDevice(tools: Tools, device: string, token: string): Promise<VisitSession | null> {
  const now = tools.clock.now()
  const row = await findSession<Partial<SessionState>>(tools.db, device, now)
  if (!row) return null
  const { customerId, remember, version, expiresAt, renewedAt, beganAt, became } = row
  const state = stateOf(row.state)
  if (customerId === null) {
    return { ...guest, id: device, device, token, version, state, expiresAt, became }
  }
  const { role, owes } = rights(tools, {
    role: row.role ?? 'customer',
    enrolled: row.enrolled,
    shown: row.secondFactor,
  })
  // The second factor is missing for this login. The cart belongs to the customer, and stays.
  if (owes === 'code') return freshSession(tools)
  const own = { customerId, role, owes, remember }
  const session = { ...guest, id: customerSessionId(customerId), device, token, ...own, version, state }
  const end = loginEnd(tools, session, beganAt, now)
  // The login exceeds the current limit. The cart belongs to the customer, and stays.
  if (end <= now) return freshSession(tools)
  const renewedForMs = now.getTime() - renewedAt.getTime()
  // Only the browser's own requests extend its login.
  const renews = token !== '' && renewedForMs >= (isStaff(session) ? staffRenewAfterMs : renewAfterMs)
  if (!renews) return { ...session, expiresAt }
  await renewLogin(tools.db, device, end, now)
  return { ...session, expiresAt: end, cookieDue: true }
}

/**
 * Returns a visitor's session for another caller than the browser, such as the provider asking about an order. It has
 * no token and sets no cookie.
 * @param id as in `VisitSession.id`
 */
export async function sessionById(tools: Tools, id: string): Promise<VisitSession | null> {
  const nobody = { ...guest, id, device: '', token: '', version: 0, state: emptySession, expiresAt: null }
  const customer = /^customer:(\d+)$/.exec(id)
  if (customer) return readCustomersSession(tools, { ...nobody, customerId: Number(customer[1]) })
  const row = await findSession<Partial<SessionState>>(tools.db, id, tools.clock.now())
  if (!row || row.customerId !== null) return null
  const { version, expiresAt, became } = row
  return { ...nobody, version, state: stateOf(row.state), expiresAt, became }
}

/** Returns the session id of this device, '' for a visitor without one: nonces are bound to it. */
export function sessionOwner({ version, device }: VisitSession): string {
  return version === 0 ? '' : device
}

/**
 * Applies a change to the stored session, not to the one that this request has read: on a version conflict the session
 * is read again, and the change is applied to that. `change` may run several times and must be pure.
 * @param step the checkpoint at which recovery tests end the process
 */
export async function changeSession<Result>(
  tools: Tools,
  session: VisitSession,
  change: (state: SessionState) => { state: SessionState; result: Result },
  step?: Commit,
): Promise<{ session: VisitSession; result: Result }> {
  // Concurrent requests would conflict with each other, and the last of forty would give up.
  return runSerially(tools.serialQueues, session.id, async (waited) =>
    tryToChange(tools, waited ? await readAgain(tools, session) : session, change, step),
  )
}

async function tryToChange<Result>(
  tools: Tools,
  session: VisitSession,
  change: (state: SessionState) => { state: SessionState; result: Result },
  step: Commit | undefined,
): Promise<{ session: VisitSession; result: Result }> {
  let current = session
  for (let tries = 0; tries < maxTries; tries++) {
    const { state, result } = change(current.state)
    if (state === current.state) return { session: current, result }
    if (step) tools.checkpoint(`${step} before commit`)
    const saved =
      current.became === null ? await save(tools, current, state) : await applyToCustomer(tools, current, state)
    if (saved && step) tools.checkpoint(`${step} after commit`)
    if (saved) return { session: saved, result }
    current = await readAgain(tools, current)
    if (tries > 0) await tools.clock.sleep(tools.chance.fraction() * 10 * tries)
  }
  throw new Error(`session update failed after ${maxTries} version conflicts`)
}

async function save(tools: Tools, current: VisitSession, state: SessionState): Promise<VisitSession | null> {
  const { id, version, customerId } = current
  if (customerId !== null) {
    // A customer's cart has no end; that of the login is another matter.
    const saved = await saveCustomerState(tools.db, { id: customerId, version, state: storedStateOf(state) })
    return saved ? { ...current, version: version + 1, state } : null
  }
  const now = tools.clock.now()
  const next = afterSave(tools, current, state)
  const { expiresAt } = next
  return (await saveSession(tools.db, { id, version, json: asStored(state), expiresAt, now })) ? next : null
}

/**
 * Writes changes of several sessions within a transaction, on condition of their versions.
 * @returns null: version conflict with another request
 */
export async function changeSessionsWith(
  tools: Tools,
  tx: Transaction<Schema>,
  changes: readonly { session: VisitSession; state: SessionState }[],
): Promise<VisitSession[] | null> {
  const written = changes.map(({ session, state }) =>
    session.customerId === null
      ? afterSave(tools, session, state)
      : { ...session, version: session.version + 1, state },
  )
  const guests = changes.flatMap(({ session: { id, version, customerId }, state }, nr) => {
    const expiresAt = written[nr]?.expiresAt
    return customerId === null && expiresAt ? [{ id, version, json: asStored(state), expiresAt }] : []
  })
  const saved = await Promise.all([
    saveSessionsWith(tx, guests, tools.clock.now()),
    ...changes.map(
      ({ session: { customerId: id, version }, state }) =>
        id === null || saveCustomerStateWith(tx, { id, version, state: storedStateOf(state) }),
    ),
  ])
  return saved.includes(false) ? null : written
}

const asStored = (state: SessionState): string => JSON.stringify(storedStateOf(state))

/** Returns a guest's session after a write. */
function afterSave({ clock }: Tools, current: VisitSession, state: SessionState): VisitSession & { expiresAt: Date } {
  const now = clock.now().getTime()
  const expiresAt = new Date(now + guestLifeMs)
  const renewed = !current.expiresAt || current.expiresAt.getTime() - now < guestLifeMs - renewAfterMs
  return { ...current, version: current.version + 1, state, expiresAt, cookieDue: current.cookieDue || renewed }
}

/** Applies a guest's late change, overtaken by the guest's login, to the customer's cart. */
async function applyToCustomer(tools: Tools, current: VisitSession, state: SessionState): Promise<VisitSession> {
  const { id, version, became, expiresAt } = current
  const customer = became === null ? null : await readCustomersSession(tools, { ...current, customerId: became })
  if (customer) {
    await changeSession(tools, customer, (now) => ({
      state: carriedOver(now, current.state, state),
      result: undefined,
    }))
  }
  // Stored while the guest's session still accepts requests, so that the next change is compared with this one.
  const now = tools.clock.now()
  const json = asStored(state)
  const saved = expiresAt !== null && (await saveSession(tools.db, { id, version, json, expiresAt, now }))
  return { ...current, version: saved ? version + 1 : version, state, cookieDue: false }
}

/** Returns the stored session. An ended one is replaced under a new token: a client must not revive an old one. */
async function readAgain(tools: Tools, current: VisitSession): Promise<VisitSession> {
  if (current.customerId !== null) return (await readCustomersSession(tools, current)) ?? freshSession(tools)
  const row = await findSession<Partial<SessionState>>(tools.db, current.id, tools.clock.now())
  if (!row) return freshSession(tools)
  const { version, expiresAt, became } = row
  const cookieDue = current.cookieDue && became === null
  return { ...current, version, state: stateOf(row.state), expiresAt, became, cookieDue }
}

/** Null if the customer no longer exists. */
async function readCustomersSession(
  tools: Tools,
  session: VisitSession,
): Promise<(VisitSession & { customerId: number }) | null> {
  const { customerId } = session
  const row = customerId === null ? null : await findCustomerState<Partial<SessionState>>(tools.db, customerId)
  if (customerId === null || !row) return null
  const state = stateOf(row.state)
  return { ...session, id: customerSessionId(customerId), customerId, became: null, version: row.version, state }
}
