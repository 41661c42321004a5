import { noteAccess } from '#database/access-log.ts'
import { transaction } from '#database/connect.ts'
import { lockCustomer } from '#database/customers.ts'
import { askToEraseOrders, deleteCustomer, eraseOrders, lockOrdersToErase } from '#database/personal-data.ts'
import { enqueue } from './jobs.ts'
import type { Tools } from './tools.ts'
import { askToForgetAll } from './vault-forget.ts'

export type EraseResult =
  | { ok: true }
  /** Staff is made a customer first: no shop shall lose its last administrator by a form. */
  | { ok: false; reason: 'unknown' | 'staff' }

/**
 * Closes an account for good: logins, cart, addresses and saved ways to pay go with it. Orders stay for the books, as
 * nobody's; unless the shop keeps their data they lose all that says whose they were, those under way once they are over.
 * @param who asked for it, for the log
 */
export async function eraseCustomer(tools: Tools, customerId: number, who: string): Promise<EraseResult> {
  const at = tools.clock.now()
  return transaction(tools, async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (!customer) return { ok: false, reason: 'unknown' }
    if (customer.role !== 'customer') return { ok: false, reason: 'staff' }
    if (!tools.settings.privacy.keepOrderData) {
      await askToEraseOrders(tx, customerId)
      await eraseOrders(tx, await lockOrdersToErase(tx, at, 10_000))
    }
    await askToForgetAll(tx, customerId)
    await deleteCustomer(tx, customerId)
    await noteAccess(tx, { at, who, action: 'erased', subject: `customer:${customerId}` })
    const { email, username, language } = customer
    const key = `account-mail-closed-${customerId}`
    await enqueue(tx, 'account-mail', { kind: 'account-closed', email, username, language }, { key })
    return { ok: true }
  })
}

/** Erases what was asked for while its orders were under way. @returns how many orders */
export async function eraseFinishedOrders(tools: Tools): Promise<number> {
  return transaction(tools, async (tx) => {
    const orders = await lockOrdersToErase(tx, tools.clock.now(), 200)
    await eraseOrders(tx, orders)
    return orders.length
  })
}
