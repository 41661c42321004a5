import { z } from 'zod'
import { v3OrderRefundsInput } from '#contract/orders/v3-orders.ts'
import { findOrderParts } from '#database/orders/rest-orders.ts'
import { findRefundItems } from '#database/payments/refunds.ts'
import { restRefund } from '#shop/payments/refund/rest-refund.ts'
import { defineCall } from '../../../calls/shared/define-call.ts'
import { pagingHeaders } from '../../pagination-headers.ts'
import { readOrder } from '../orders/read-order.ts'
import { onlyFields } from '../response-fields.ts'

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
    const read = await readOrder(visit, given, v3OrderRefundsInput, 'woocommerce_rest_invalid_order_id')
    if (read instanceof Response) return read
    const { id, page, per_page: perPage, offset, order: sequence, _fields: fields } = read.asked
    const { tools } = visit.app
    const { kysely } = tools.db
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
