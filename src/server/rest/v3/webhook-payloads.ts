import type { WebhookResource } from '#contract/operations/webhook-topics.ts'
import { findCoupon } from '#database/coupons/coupons.ts'
import { findCouponUsers } from '#database/coupons/rest-coupons.ts'
import { recordAccess } from '#database/customers/access-log.ts'
import { findCustomer } from '#database/customers/customers.ts'
import { findCustomerExtras } from '#database/customers/rest-customers.ts'
import { findKeptOrder } from '#database/orders/orders.ts'
import { findOrderParts } from '#database/orders/rest-orders.ts'
import { restCoupon } from '#shop/coupons/rest-coupon.ts'
import { restCustomer } from '#shop/customers/rest-customer.ts'
import type { PayloadOf } from '#shop/operations/webhooks/deliver-webhook.ts'
import { restOrder } from '#shop/orders/rest-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { recordLinks } from './resource/record-links.ts'

/** Reads a record of REST v3 with its links; null if it does not exist, or is no record for programs. */
type ReadRecord = (tools: Tools, id: number) => Promise<object | null>

/** How each resource of webhooks is read: the same records as `wc/v3/<resource>s/<id>`. */
const records: { readonly [Resource in WebhookResource]?: ReadRecord } = {
  async order(tools, id) {
    const order = await findKeptOrder(tools.db.kysely, id)
    // A draft is not placed yet.
    if (!order || order.status === 'checkout-draft' || order.deleted_at !== null) return null
    return {
      ...restOrder(tools, order, await findOrderParts(tools.db.kysely, [id])),
      _links: recordLinks(tools.publicUrl, 'orders', id),
    }
  },
  async coupon(tools, id) {
    const coupon = await findCoupon(tools.db.kysely, { id })
    if (!coupon) return null
    const users = await findCouponUsers(tools.db.kysely, [id])
    return { ...restCoupon(tools, coupon, users.get(id) ?? []), _links: recordLinks(tools.publicUrl, 'coupons', id) }
  },
  async customer(tools, id) {
    const customer = await findCustomer(tools.db.kysely, id)
    if (!customer) return null
    const record = restCustomer(tools, customer, await findCustomerExtras(tools.db.kysely, [id]))
    return { ...record, _links: recordLinks(tools.publicUrl, 'customers', id) }
  },
}

/** Returns the reader of webhook payloads. Each access to personal data is recorded. */
export const webhookPayloads =
  (tools: Tools): PayloadOf =>
  async (resource, id, webhookId) => {
    const read = Object.hasOwn(records, resource) ? records[resource as WebhookResource] : undefined
    const payload = (await read?.(tools, id)) ?? null
    if (payload && (resource === 'order' || resource === 'customer')) {
      const who = `webhook:${webhookId}`
      const action = `${resource}s show`
      await recordAccess(tools.db.kysely, { at: tools.clock.now(), who, action, subject: `${resource}:${id}` })
    }
    return payload
  }
