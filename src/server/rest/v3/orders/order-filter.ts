import { z } from 'zod'
import { type V3OrdersInput, v3OrdersInput } from '#contract/orders/v3-orders.ts'
import { recordAccess } from '#database/customers/access-log.ts'
import { findOrderParts, listRestOrders, type RestOrderFilter } from '#database/orders/rest-orders.ts'
import { restOrder } from '#shop/orders/rest-order.ts'
import { defineCall } from '../../../calls/shared/define-call.ts'
import { pagingHeaders } from '../../pagination-headers.ts'
import { callerOf } from '../authenticate.ts'
import { momentOf } from '../resource/moment.ts'
import { invalidParameters, onlyFields } from '../response-fields.ts'
import { linksOf } from './order-links.ts'

/** `GET wc/v3/orders`: lists the shop's orders, in pages. */
export const v3OrdersCall = defineCall({
  name: 'orders',
  namespace: 'wc/v3',
  door: 'rest',
  method: 'GET',
  // Authentication comes first: unauthorized callers learn nothing about the parameters.
  input: z.record(z.string(), z.unknown()),
  output: 'json',
  identity: 'consumer-key',
  idempotency: 'safe',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { none: 'safe method' },
  async answer(visit, given) {
    const reader = await callerOf(visit)
    if (reader instanceof Response) return reader
    const read = v3OrdersInput.safeParse(given)
    if (!read.success) return invalidParameters(read.error)
    const { data: asked } = read
    const { tools } = visit.app
    const { kysely } = tools.db
    const offset = asked.offset ?? asked.per_page * (asked.page - 1)
    const filter = filterOf(asked, tools.settings.timeZone)
    await recordAccess(kysely, {
      at: tools.clock.now(),
      who: reader.who,
      action: 'orders list',
      subject: subjectOf(asked),
    })
    const { total, orders } = await listRestOrders(kysely, filter, { limit: asked.per_page, offset })
    const parts = await findOrderParts(
      kysely,
      orders.map(({ id }) => id),
    )
    const records = orders.map((order) =>
      onlyFields({ ...restOrder(tools, order, parts), _links: linksOf(tools, order) }, asked._fields),
    )
    const headers = pagingHeaders(visit, { page: asked.page, perPage: asked.per_page, total, offset: asked.offset })
    return Response.json(records, { headers })
  },
})

const orders = {
  date: 'created',
  title: 'created',
  slug: 'id',
  id: 'id',
  modified: 'modified',
  include: 'include',
} as const

function filterOf(asked: V3OrdersInput, timeZone: string): RestOrderFilter {
  const moment = (text: string | undefined) => momentOf(text, asked.dates_are_gmt ? 'UTC' : timeZone)
  const isAny = asked.status.length === 0 || asked.status.includes('any')
  return {
    statuses: isAny ? null : asked.status.filter((status) => status !== 'any' && status !== 'trash'),
    after: moment(asked.after),
    before: moment(asked.before),
    modifiedAfter: moment(asked.modified_after),
    modifiedBefore: moment(asked.modified_before),
    include: asked.include,
    exclude: asked.exclude,
    customerId: asked.customer ?? null,
    productId: asked.product ?? null,
    text: asked.search,
    orderBy: orders[asked.orderby],
    descending: asked.order === 'desc',
  }
}

/** Returns the parameters of the request for the access log. */
function subjectOf(asked: V3OrdersInput): string {
  const { search, customer, page, status } = asked
  return `list status=${status.join()} page=${page}${customer === undefined ? '' : ` customer=${customer}`}${search && ` search=${search}`}`
}
