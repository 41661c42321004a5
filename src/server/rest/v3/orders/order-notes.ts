import type { z } from 'zod'
import { v3NoteRecord, v3NotesInput, v3NoteWrite } from '#contract/orders/v3-order-notes.ts'
import { transaction } from '#database/engine/connect.ts'
import { deleteOrderNote, findOrderNote, listOrderNotes, type OrderNoteRow } from '#database/orders/order-notes.ts'
import { lockOrder } from '#database/orders/orders.ts'
import { addOrderNote } from '#shop/orders/add-order-note.ts'
import { localTime } from '#shop/shared/local-time.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { invalidParam, unknownId } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'
import { parentOrder } from './parent-order.ts'

/** `wc/v3/orders/{order_id}/notes`: private notes, and notes that are emailed to the customer. */
export const v3OrderNoteCalls = v3Resource({
  path: 'orders/:order_id/notes',
  title: 'note of an order',
  item: v3NoteRecord,
  list: {
    query: v3NotesInput,
    async run(context, { type, page, per_page: limit, offset = limit * (page - 1) }) {
      const { id } = await parentOrder(context)
      await context.record('orders notes', `order:${id}`)
      const forCustomer = type === 'any' ? null : type === 'customer'
      const { total, notes } = await listOrderNotes(context.tools.db.kysely, id, { forCustomer, limit, offset })
      return { total, records: notes.map((note) => recordOf(context, note)) }
    },
  },
  async get(context, id: number) {
    const note = await noteOf(context, id)
    await context.record('orders notes', `order:${note.order_id}`)
    return recordOf(context, note)
  },
  create: {
    input: v3NoteWrite,
    async run(context, { note: text, customer_note: forCustomer }) {
      const order = await parentOrder(context)
      const added = await addOrderNote(context.tools, order.id, { text, forCustomer })
      if (!added.ok) {
        if (added.reason === 'imported') throw invalidParam('customer_note', 'is not sent for an order of another shop')
        if (added.reason === 'not-found') throw unknownId('order_note', 'The order is in the trash.')
        throw invalidParam('note', added.reason === 'empty' ? 'is empty' : 'has more than 5000 characters')
      }
      await context.record('orders note', `order:${order.id}`)
      return recordOf(context, await noteOf(context, added.noteId))
    },
  },
  remove: {
    trash: false,
    async run(context, id) {
      const note = await noteOf(context, id)
      await transaction(context.tools, async (tx) => {
        await lockOrder(tx, note.order_id)
        await deleteOrderNote(tx, note.order_id, id)
      })
      await context.record('orders note delete', `order:${note.order_id}`)
      return recordOf(context, note)
    },
  },
  links: (_, { path }) => ({ up: [{ href: `wc/v3/orders/${path.order_id}` }] }),
})

async function noteOf(context: V3Context, id: number): Promise<OrderNoteRow> {
  const order = await parentOrder(context)
  const note = await findOrderNote(context.tools.db.kysely, order.id, id)
  if (!note) throw unknownId('order_note')
  return note
}

function recordOf(
  { tools }: V3Context,
  { id, at, note, for_customer: forCustomer }: OrderNoteRow,
): z.output<typeof v3NoteRecord> {
  return {
    id,
    // The shop does not store who wrote a note.
    author: 'system',
    date_created: localTime(at, tools.settings.timeZone),
    date_created_gmt: localTime(at, 'UTC'),
    note,
    customer_note: forCustomer,
    added_by_user: false,
  }
}
