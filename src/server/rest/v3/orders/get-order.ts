import { z } from 'zod'
import { v3OrderInput } from '#contract/orders/v3-orders.ts'
import { findOrderParts } from '#database/orders/rest-orders.ts'
import { restOrder } from '#shop/orders/rest-order.ts'
import { defineCall } from '../../../calls/shared/define-call.ts'
import { onlyFields } from '../response-fields.ts'
import { linksOf } from './order-links.ts'
import { readOrder } from './read-order.ts'

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
    const read = await readOrder(visit, given, v3OrderInput, 'woocommerce_rest_shop_order_invalid_id')
    if (read instanceof Response) return read
    const { order, asked } = read
    const { tools } = visit.app
    const record = restOrder(tools, order, await findOrderParts(tools.db.kysely, [asked.id]))
    return Response.json(onlyFields({ ...record, _links: linksOf(tools, order) }, asked._fields))
  },
})
