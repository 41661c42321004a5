import type { V3OrdersInput } from '#contract/orders/v3-orders.ts'
import type { RestOrderFilter } from '#database/orders/rest-orders.ts'
import { momentOf } from '../resource/moment.ts'

const orders = {
  date: 'created',
  title: 'created',
  slug: 'id',
  id: 'id',
  modified: 'modified',
  include: 'include',
} as const

/** Returns the filter of a list of orders. Times without an offset are in the shop's time zone. */
export function orderFilter(asked: V3OrdersInput, timeZone: string): RestOrderFilter {
  const moment = (text: string | undefined) => momentOf(text, asked.dates_are_gmt ? 'UTC' : timeZone)
  const isAny = asked.status.length === 0 || asked.status.includes('any')
  return {
    statuses: isAny ? null : asked.status.filter((status) => status !== 'any' && status !== 'trash'),
    trash: asked.status.includes('trash'),
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

/** Returns the parameters of a list for the access log. */
export function filterSubject({ search, customer, page, status }: V3OrdersInput): string {
  return `list status=${status.join()} page=${page}${customer === undefined ? '' : ` customer=${customer}`}${search && ` search=${search}`}`
}
