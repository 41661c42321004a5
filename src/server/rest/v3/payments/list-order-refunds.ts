import { z } from 'zod'
import { v3OrderRefundsInput } from '#contract/orders/v3-orders.ts'
import { recordAccess } from '#database/customers/access-log.ts'
import { findOrder } from '#database/orders/orders.ts'
import { findOrderParts } from '#database/orders/rest-orders.ts'
import { findRefundItems } from '#database/payments/refunds.ts'
import { restRefund } from '#shop/payments/refund/rest-refund.ts'
import { defineCall } from '../../../calls/shared/define-call.ts'
import { noRoute, refuse } from '../../../calls/shared/refuse-call.ts'
import { pagingHeaders } from '../../pagination-headers.ts'
import { readerOf } from '../authenticate.ts'
import { invalidParameters, onlyFields } from '../response-fields.ts'

/** `GET wc/v3/orders/{id}/refunds`: lists an order's refunds with their line items. */
export const v3OrderRefundsCall = defineCall({
  name: 'orders/:id/refunds',
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
    if (!/^\d+$/.test(String(given.id))) return noRoute()
    const read = v3OrderRefundsInput.safeParse(given)
    if (!read.success) return invalidParameters(read.error)
    const { id, page, per_page: perPage, offset, order: sequence, _fields: fields } = read.data
    const { tools } = visit.app
    const { kysely } = tools.db
    const order = await findOrder(kysely, id)
    if (!order) return refuse({ door: 'rest' }, 404, 'woocommerce_rest_invalid_order_id', 'There is no such order.')
    await recordAccess(kysely, {
      at: tools.clock.now(),
      who: reader.who,
      action: 'orders show',
      subject: `order:${id}`,
    })
    const { items, refunds } = await findOrderParts(kysely, [id])
    const ofRefunds = await findRefundItems(kysely, id)
    const sorted = sequence === 'asc' ? refunds : refunds.toReversed()
    const from = offset ?? perPage * (page - 1)
    const records = sorted
      .slice(from, from + perPage)
      .map((refund) => onlyFields(restRefund(tools, refund, { items, given: ofRefunds }), fields))
    return Response.json(records, { headers: pagingHeaders(visit, { page, perPage, total: refunds.length, offset }) })
  },
})
