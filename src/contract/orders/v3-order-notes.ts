import { z } from 'zod'
import { flag, paging, recordShape as shape } from '../shared/rest-input.ts'

/** `GET wc/v3/orders/{order_id}/notes` */
export const v3NotesInput = z.object({
  ...paging,
  ...shape,
  type: z.enum(['any', 'customer', 'internal']).default('any'),
})

/** `POST wc/v3/orders/{order_id}/notes` */
export const v3NoteWrite = z.looseObject({
  note: z.string(),
  /** The note is emailed to the customer, and shown with the order. */
  customer_note: flag.default(false),
})

export const v3NoteRecord = z.object({
  id: z.number().int(),
  author: z.string(),
  date_created: z.string(),
  date_created_gmt: z.string(),
  note: z.string(),
  customer_note: z.boolean(),
  added_by_user: z.boolean(),
})
