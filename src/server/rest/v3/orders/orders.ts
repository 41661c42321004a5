import { type V3OrderWrite, v3OrderWrite } from '#contract/orders/v3-order-input.ts'
import { v3OrderRecord } from '#contract/orders/v3-order-record.ts'
import { v3OrdersInput } from '#contract/orders/v3-orders.ts'
import { findKeptOrder, type OrderRow } from '#database/orders/orders.ts'
import { findOrderParts, listRestOrders } from '#database/orders/rest-orders.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import { createManualOrder, paidStatusFor } from '#shop/orders/manual/create-manual-order.ts'
import { editManualOrder } from '#shop/orders/manual/edit-manual-order.ts'
import { type RestOrder, restOrder } from '#shop/orders/rest-order.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { deleteOrder, trashOrder } from '#shop/orders/trash-order.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { v3Resource } from '../resource/v3-resource.ts'
import { editError, transitionError, trashError, unknownOrder } from './order-errors.ts'
import { filterSubject, orderFilter } from './order-filter.ts'

/** `wc/v3/orders`: orders with their lines, written through the shop's own use cases. */
export const v3OrderCalls = v3Resource({
  path: 'orders',
  title: 'order',
  item: v3OrderRecord,
  batch: true,
  list: {
    query: v3OrdersInput,
    async run(context, query) {
      const { tools } = context
      const { kysely } = tools.db
      const offset = query.offset ?? query.per_page * (query.page - 1)
      await context.record('orders list', filterSubject(query))
      const filter = orderFilter(query, tools.settings.timeZone)
      const { total, orders } = await listRestOrders(kysely, filter, { limit: query.per_page, offset })
      const parts = await findOrderParts(
        kysely,
        orders.map(({ id }) => id),
      )
      return { total, records: orders.map((order) => restOrder(tools, order, parts)) }
    },
  },
  async get(context, id: number) {
    const order = await keptOrder(context, id)
    await context.record('orders show', `order:${id}`)
    return recordOf(context, order)
  },
  create: {
    input: v3OrderWrite,
    async run(context, input) {
      const created = await createManualOrder(context.tools, input)
      if (!created.ok) throw editError(created)
      await context.record('orders create', `order:${created.order.id}`)
      return recordOf(context, created.order)
    },
  },
  update: { input: v3OrderWrite, run: updateOrder },
  remove: {
    trash: true,
    async run(context, id, { force }) {
      const { tools } = context
      const before = await keptOrder(context, id)
      const record = await recordOf(context, before)
      const removed = force ? await deleteOrder(tools, id) : await trashOrder(tools, id)
      if (!removed.ok) throw trashError(removed)
      await context.record(force ? 'orders delete' : 'orders trash', `order:${id}`)
      return force ? record : recordOf(context, removed.order)
    },
  },
  links: ({ customer_id: customerId }) =>
    customerId === 0 ? {} : { customer: [{ href: `wc/v3/customers/${customerId}` }] },
})

/** Fields and lines first, then the status: a transition sees the new lines. A status restores from the trash. */
async function updateOrder(context: V3Context, id: number, input: V3OrderWrite): Promise<RestOrder> {
  const { tools } = context
  const before = await keptOrder(context, id)
  const { status, set_paid: isPaid, ...fields } = input
  const edited = await editManualOrder(tools, id, fields)
  if (!edited.ok) throw editError(edited)
  const to = await wantedStatus(context, before, input)
  if (to !== null) {
    const { transaction_id: transactionId } = edited.order
    const paid = isPaid ? { paid: transactionId === null ? {} : { transactionId } } : {}
    const moved = await transitionOrder(tools, id, { to, fromTrash: true, ...paid })
    if (!moved.ok) throw transitionError(moved)
  }
  await context.record('orders update', `order:${id}`)
  return recordOf(context, await keptOrder(context, id))
}

async function wantedStatus(
  { tools }: V3Context,
  before: OrderRow,
  { status, set_paid: isPaid }: V3OrderWrite,
): Promise<OrderStatus | null> {
  if (isPaid) return paidStatusFor(tools, before.id, status ?? before.status)
  if (status === undefined || (status === before.status && before.trashed_at === null)) return null
  return status
}

async function keptOrder({ tools }: V3Context, id: number): Promise<OrderRow> {
  const order = await findKeptOrder(tools.db.kysely, id)
  if (!order) throw unknownOrder()
  return order
}

async function recordOf({ tools }: V3Context, order: OrderRow): Promise<RestOrder> {
  return restOrder(tools, order, await findOrderParts(tools.db.kysely, [order.id]))
}
