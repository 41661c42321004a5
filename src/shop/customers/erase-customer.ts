import type { Transaction } from 'kysely'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { eraseReviewAuthors } from '#database/catalog/reviews.ts'
import { recordAccess } from '#database/customers/access-log.ts'
import { type CustomerRow, lockCustomer } from '#database/customers/customers.ts'
import {
  deleteCustomer,
  eraseOrders,
  findGuestOrders,
  lockOrdersToErase,
  type OrdersOf,
  requestOrdersErasure,
} from '#database/customers/personal-data.ts'
import { reassignOrders } from '#database/customers/rest-customers.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { ordersOfOwner } from '../orders/find-owner-orders.ts'
import { enqueueAllTokenDeletions } from '../payments/vault/delete-vault-token.ts'
import { enqueue } from '../shared/jobs.ts'
import type { Tools } from '../shared/tools.ts'

export type EraseResult =
  | { ok: true }
  /** Staff must be made customers first: a form must never remove the last administrator. */
  | { ok: false; reason: 'unknown' | 'staff' | 'unknown-heir' }

/**
 * Closes an account permanently, with its logins, cart, addresses and saved payment methods. Orders stay for
 * accounting, without an owner. Unless the shop keeps their data, they are anonymized, open ones after their end.
 * @param who the person responsible, for the log
 * @param vouched the caller has verified that the account's address belongs to its owner
 * @param heir another customer who gets the orders, which are then not anonymized
 */
export async function eraseCustomer(
  tools: Tools,
  customerId: number,
  who: string,
  vouched = false,
  heir: number | null = null,
): Promise<EraseResult> {
  const at = tools.clock.now()
  return transaction(tools, async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (!customer) return { ok: false, reason: 'unknown' }
    if (customer.role !== 'customer') return { ok: false, reason: 'staff' }
    if (heir !== null) {
      if (heir === customerId || !(await lockCustomer(tx, heir))) return { ok: false, reason: 'unknown-heir' }
      await reassignOrders(tx, customerId, heir, at)
    }
    await closeAccount(tx, { settings: tools.settings, now: at }, customer, vouched)
    await recordAccess(tx, { at, who, action: 'erased', subject: `customer:${customerId}` })
    const { email, username, language } = customer
    const key = `account-mail-closed-${customerId}`
    await enqueue(tx, 'account-mail', { kind: 'account-closed', email, username, language }, { key })
    return { ok: true }
  })
}

/** Deletes everything that `eraseCustomer` does, without log entry and email. */
export async function closeAccount(
  tx: Transaction<Schema>,
  { settings, now }: { settings: Pick<ShopSettings, 'privacy' | 'accounts'>; now: Date },
  customer: CustomerRow,
  vouched: boolean,
): Promise<void> {
  const owner = ordersOfOwner(settings, customer, vouched)
  if (!settings.privacy.keepOrderData) {
    await requestOrdersErasure(tx, owner)
    await eraseOrders(tx, await lockOrdersToErase(tx, now, 10_000), now)
  }
  await eraseReviews(tx, owner, now)
  await enqueueAllTokenDeletions(tx, customer.id)
  await deleteCustomer(tx, customer.id)
}

/** Removes the author from a person's reviews, also in cached pages. @returns whether there were any */
async function eraseReviews(tx: Transaction<Schema>, owner: OrdersOf, now: Date): Promise<boolean> {
  const products = await eraseReviewAuthors(tx, owner, now)
  if (products.length > 0) await catalogChanged(tx, products)
  return products.length > 0
}

export type EraseGuestResult =
  /** `waiting`: open orders, which are anonymized after their end. */
  | { ok: true; erased: number; waiting: number }
  /** `kept`: the shop keeps order data, see `privacy.keepOrderData`. */
  | { ok: false; reason: 'unknown' | 'kept' }

/**
 * Anonymizes guest orders and reviews with an email address.
 * @param who the person responsible, for the log
 */
export async function eraseGuest(tools: Tools, email: string, who: string): Promise<EraseGuestResult> {
  const at = tools.clock.now()
  return transaction(tools, async (tx) => {
    const ids = await findGuestOrders(tx, email)
    const hadReviews = await eraseReviews(tx, { customerId: null, guest: email }, at)
    if (ids.length === 0) return hadReviews ? { ok: true, erased: 0, waiting: 0 } : { ok: false, reason: 'unknown' }
    if (tools.settings.privacy.keepOrderData) return { ok: false, reason: 'kept' }
    await requestOrdersErasure(tx, { customerId: null, guest: email })
    await eraseOrders(tx, await lockOrdersToErase(tx, at, 10_000), at)
    for (const id of ids) await recordAccess(tx, { at, who, action: 'erased', subject: `order:${id}` })
    const waiting = (await findGuestOrders(tx, email)).length
    return { ok: true, erased: ids.length - waiting, waiting }
  })
}

/** Anonymizes marked orders that have ended. @returns the number of orders */
export async function eraseFinishedOrders(tools: Tools): Promise<number> {
  return transaction(tools, async (tx) => {
    const now = tools.clock.now()
    const orders = await lockOrdersToErase(tx, now, 200)
    await eraseOrders(tx, orders, now)
    return orders.length
  })
}
