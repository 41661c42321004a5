import type { Transaction } from 'kysely'
import { type CustomerRow, lockCustomer, transferOpenOrders, updateCustomer } from '#database/customers/customers.ts'
import { endLogin, insertLogin, retireSession } from '#database/customers/sessions.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { closeFinishedPurchase } from '../../checkout/close-purchase.ts'
import { commitWithCheckpoints } from '../../shared/checkpointed-transaction.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { stateAtLogin } from './login-state.ts'
import { halfLoginId, isEnrolled } from './pending-login.ts'
import { emptySession, stateOf, storedStateOf } from './session-state.ts'
import { customerSessionId, freshSession, loginEnd, rights, type VisitSession } from './visit-session.ts'

/** How long a guest's requests may still arrive after the login. */
const carryOverMs = 30_000

/**
 * Logs a visitor in as a customer, under a new token, so that a stolen earlier token is useless. The guest's cart is
 * merged into the customer's. The caller has verified the password, and the second factor if there is one.
 * @param device the browser's User-Agent
 * @param shown whether the second factor was verified as well
 */
export async function logIn(
  tools: Tools,
  before: VisitSession,
  customer: CustomerRow,
  remember: boolean,
  device = '',
  shown = false,
): Promise<VisitSession> {
  const { token } = freshSession(tools)
  const now = tools.clock.now()
  const id = customerSessionId(customer.id)
  const enrolled = await isEnrolled(tools, customer)
  const { role, owes } = rights(tools, { role: customer.role, enrolled, shown })
  if (owes === 'code') throw new Error(`second factor of customer ${customer.id} was not verified`)
  const expiresAt = loginEnd(tools, { remember, role, owes }, now, now)
  const loggedInAs = { id, token, device: sha256(token) }
  const own = { ...loggedInAs, customerId: customer.id, role, owes, remember, expiresAt, cookieDue: true, became: null }
  // Purchased items leave the saved cart before the merge.
  await closeFinishedPurchase(tools, { ...own, version: customer.state_version, state: stateOf(customer.state) })
  const { state, version } = await commitWithCheckpoints(tools, 'login', async (tx) => {
    const locked = await lockCustomer(tx, customer.id)
    if (!locked) throw new Error(`customer ${customer.id} no longer exists`)
    // In the same transaction: a cart is merged once, however often the form is sent.
    const left = await endBefore(tx, before, customer.id, new Date(now.getTime() + carryOverMs))
    const guest = left ? stateOf(left) : emptySession
    const merged = stateAtLogin(stateOf(locked.state), guest, locked)
    const next = { state: storedStateOf(merged), state_version: locked.state_version + 1 }
    await updateCustomer(tx, customer.id, next)
    if (left) await transferOpenOrders(tx, before.id, id)
    await endLogin(tx, halfLoginId(before.token))
    await insertLogin(tx, {
      id: own.device,
      customerId: customer.id,
      remember,
      device,
      secondFactor: shown,
      expiresAt,
      now,
    })
    return { state: merged, version: next.state_version }
  })
  return closeFinishedPurchase(tools, { ...own, version, state })
}

/** @returns the state of a guest's session, the first time; null after another login */
async function endBefore(tx: Transaction<Schema>, before: VisitSession, customerId: number, expiresAt: Date) {
  if (before.version === 0) return null
  const { device: id } = before
  if (before.customerId === null) return retireSession(tx, { id, customerId, expiresAt })
  await endLogin(tx, id)
  return null
}

/** Ends a login: its token becomes invalid. The cart stays with the customer. */
export async function logOut(tools: Tools, session: VisitSession): Promise<VisitSession> {
  if (session.customerId !== null) await endLogin(tools.db.kysely, session.device)
  return freshSession(tools)
}
