import { z } from 'zod'
import { orderStatuses } from '#domain/orders/order-status.ts'
import { idInput as id } from '../shared/number-text.ts'
import { datedFilters, listOf, notEmpty, paging, recordShape as shape } from '../shared/rest-input.ts'
import { v3OrderRecord } from './v3-order-record.ts'

/** `GET wc/v3/orders`. Unknown parameters are ignored, as in the public interface. */
export const v3OrdersInput = z.object({
  ...paging,
  ...shape,
  ...datedFilters,
  orderby: z.enum(['date', 'id', 'include', 'title', 'slug', 'modified']).default('date'),
  /** `any`: all but those in the trash. */
  status: listOf(z.enum(['any', 'trash', ...orderStatuses])).default(['any']),
  /** 0: orders of guests. */
  customer: z.preprocess(notEmpty, z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)).optional(),
  product: id.optional(),
})

export type V3OrdersInput = z.output<typeof v3OrdersInput>

/** Every member of an order, in the public interface's order. */
export const v3OrderKeys = Object.keys(v3OrderRecord.shape)
