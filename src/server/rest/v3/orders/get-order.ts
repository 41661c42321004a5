import { z } from 'zod'
import { v3OrderInput } from '#contract/orders/v3-orders.ts'
import { recordAccess } from '#database/customers/access-log.ts'
import { findOrder } from '#database/orders/orders.ts'
import { findOrderParts } from '#database/orders/rest-orders.ts'
import { restOrder } from '#shop/orders/rest-order.ts'
import { defineCall } from '../../../calls/shared/define-call.ts'
import { noRoute, refuse } from '../../../calls/shared/refuse-call.ts'
import { readerOf } from '../authenticate.ts'
import { invalidParameters, onlyFields } from '../response-fields.ts'
import { linksOf } from './order-links.ts'

/** `GET wc/v3/orders/{id}`: returns one order. */
export const v3OrderCall = defineCall({
  name: 'orders/:id',
  namespace: 'wc/v3',
  door: 'rest',
  method: 'GET',
  input: z.record(z.string(), z.unknown()),
  output: 'json',
  identity: 'consumer-key',
  idempotency: 'safe',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { none: 'safe method' },
  async answer(visit, given) {
    const reader = await readerOf(visit)
    if (reader instanceof Response) return reader
    // `orders/batch` and `orders/statuses` are not implemented.
    if (!/^\d+$/.test(String(given.id))) return noRoute()
    const read = v3OrderInput.safeParse(given)
    if (!read.success) return invalidParameters(read.error)
    const { id, _fields: fields } = read.data
    const { tools } = visit.app
    const { kysely } = tools.db
    const order = await findOrder(kysely, id)
    if (!order)
      return refuse({ door: 'rest' }, 404, 'woocommerce_rest_shop_order_invalid_id', 'There is no such order.')
    await recordAccess(kysely, {
      at: tools.clock.now(),
      who: reader.who,
      action: 'orders show',
      subject: `order:${id}`,
    })
    const record = restOrder(tools, order, await findOrderParts(kysely, [id]))
    return Response.json(onlyFields({ ...record, _links: linksOf(tools, order) }, fields))
  },
})
