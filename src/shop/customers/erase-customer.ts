import type { Transaction } from 'kysely'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { recordAccess } from '#database/customers/access-log.ts'
import { type CustomerRow, lockCustomer } from '#database/customers/customers.ts'
import {
  deleteCustomer,
  eraseOrders,
  findGuestOrders,
  lockOrdersToErase,
  requestOrdersErasure,
} from '#database/customers/personal-data.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { ordersOfOwner } from '../orders/find-owner-orders.ts'
import { enqueueAllTokenDeletions } from '../payments/vault/delete-vault-token.ts'
import { enqueue } from '../shared/jobs.ts'
import type { Tools } from '../shared/tools.ts'

export type EraseResult =
  | { ok: true }
  /** Staff is made a customer first: no shop shall lose its last administrator by a form. */
  | { ok: false; reason: 'unknown' | 'staff' }

/**
 * Closes an account for good: logins, cart, addresses and saved ways to pay go with it. Orders stay for the books, as
 * nobody's; unless the shop keeps their data they lose all that says whose they were, those under way once they are over.
 * @param who asked for it, for the log
 * @param vouched whoever asks has made sure that the account's address is its owner's
 */
export async function eraseCustomer(
  tools: Tools,
  customerId: number,
  who: string,
  vouched = false,
): Promise<EraseResult> {
  const at = tools.clock.now()
  return transaction(tools, async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (!customer) return { ok: false, reason: 'unknown' }
    if (customer.role !== 'customer') return { ok: false, reason: 'staff' }
    await closeAccount(tx, { settings: tools.settings, now: at }, customer, vouched)
    await recordAccess(tx, { at, who, action: 'erased', subject: `customer:${customerId}` })
    const { email, username, language } = customer
    const key = `account-mail-closed-${customerId}`
    await enqueue(tx, 'account-mail', { kind: 'account-closed', email, username, language }, { key })
    return { ok: true }
  })
}

/** What `eraseCustomer` takes away, without the note and the message. */
export async function closeAccount(
  tx: Transaction<Schema>,
  { settings, now }: { settings: Pick<ShopSettings, 'privacy' | 'accounts'>; now: Date },
  customer: CustomerRow,
  vouched: boolean,
): Promise<void> {
  if (!settings.privacy.keepOrderData) {
    await requestOrdersErasure(tx, ordersOfOwner(settings, customer, vouched))
    await eraseOrders(tx, await lockOrdersToErase(tx, now, 10_000), now)
  }
  await enqueueAllTokenDeletions(tx, customer.id)
  await deleteCustomer(tx, customer.id)
}

export type EraseGuestResult =
  /** `waiting`: orders that are under way, and are erased once they are over. */
  | { ok: true; erased: number; waiting: number }
  /** `kept`: the shop keeps what orders hold, see `privacy.keepOrderData`. */
  | { ok: false; reason: 'unknown' | 'kept' }

/**
 * Takes out of orders that were placed as a guest with an address all that says whose they were.
 * @param who asked for it, for the log
 */
export async function eraseGuest(tools: Tools, email: string, who: string): Promise<EraseGuestResult> {
  const at = tools.clock.now()
  return transaction(tools, async (tx) => {
    const ids = await findGuestOrders(tx, email)
    if (ids.length === 0) return { ok: false, reason: 'unknown' }
    if (tools.settings.privacy.keepOrderData) return { ok: false, reason: 'kept' }
    await requestOrdersErasure(tx, { customerId: null, guest: email })
    await eraseOrders(tx, await lockOrdersToErase(tx, at, 10_000), at)
    for (const id of ids) await recordAccess(tx, { at, who, action: 'erased', subject: `order:${id}` })
    const waiting = (await findGuestOrders(tx, email)).length
    return { ok: true, erased: ids.length - waiting, waiting }
  })
}

/** Erases what was asked for while its orders were under way. @returns how many orders */
export async function eraseFinishedOrders(tools: Tools): Promise<number> {
  return transaction(tools, async (tx) => {
    const now = tools.clock.now()
    const orders = await lockOrdersToErase(tx, now, 200)
    await eraseOrders(tx, orders, now)
    return orders.length
  })
}
