import {
  type CustomerRow,
  findCustomer,
  findCustomerByLogin,
  lockCustomer,
  setCustomersExemption,
  updateCustomer,
} from '#database/customers/customers.ts'
import { endLogins } from '#database/customers/sessions.ts'
import { transaction } from '#database/engine/connect.ts'
import type { CustomerRole } from '#database/engine/schema/visitors.ts'
import type { Tools } from '../shared/tools.ts'

/** Actions of staff on customers. The caller logs who did it: see `log-access.ts`. */

/** Finds a customer by id, email address or user name. */
export async function customerBy({ db }: Pick<Tools, 'db'>, who: string): Promise<CustomerRow | null> {
  const id = /^#?(\d{1,15})$/.exec(who.trim())?.[1]
  const found = id ? await findCustomer(db.kysely, Number(id)) : await findCustomerByLogin(db.kysely, who.trim())
  return found ?? null
}

/** Changes a customer's role. All their logins end: an open session never gains permissions. */
export async function setRole(
  tools: Pick<Tools, 'db' | 'clock' | 'chance'>,
  customerId: number,
  role: CustomerRole,
): Promise<'changed' | 'unchanged' | 'unknown'> {
  return transaction(tools, async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (!customer) return 'unknown'
    if (customer.role === role) return 'unchanged'
    await updateCustomer(tx, customerId, { role, updated_at: tools.clock.now() })
    await endLogins(tx, customerId, null)
    return 'changed'
  })
}

/**
 * Sets the tax exemption of a customer (a business abroad, an embassy). It applies from the next request of the cart,
 * on every device.
 */
export async function setVatExempt(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  customerId: number,
  exempt: boolean,
): Promise<'changed' | 'unknown'> {
  return (await setCustomersExemption(db, customerId, exempt, clock.now())) ? 'changed' : 'unknown'
}
