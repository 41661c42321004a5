import { z } from 'zod'
import { orderStatuses } from '#domain/orders/order-status.ts'
import { idInput as id } from '../shared/number-text.ts'

/** A list in the formats of programs: `1,2`, `include[]=1&include[]=2`, `include[0]=1`. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((given) => {
    if (typeof given === 'string') return given.split(',').flatMap((part) => part.trim() || [])
    return typeof given === 'object' && given !== null ? Object.values(given) : given
  }, z.array(item).max(1000))

/** An empty value means no filter, not guests: their id is 0, which an empty text would be converted to. */
const notEmpty = (given: unknown) => (given === '' ? Number.NaN : given)

const flag = z.preprocess(
  (given) => (typeof given === 'string' ? !['', '0', 'false', 'no'].includes(given.toLowerCase()) : given),
  z.boolean(),
)

const moment =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?(?:Z|[+-](\d{2}):?(\d{2}))?$/i

/** An ISO 8601 time; without an offset it is in the shop's time zone, or in UTC if the program requests it. */
const date = z.string().refine((text) => {
  const [, year, month, day, hour = 0, minute = 0, second = 0, offHours = 0, offMinutes = 0] = moment.exec(text) ?? []
  const read = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const isDay = read.getUTCMonth() === Number(month) - 1 && read.getUTCDate() === Number(day)
  const isTime = (hours: unknown, minutes: unknown) => Number(hours) < 24 && Number(minutes) < 60
  return isDay && isTime(hour, minute) && Number(second) < 60 && isTime(offHours, offMinutes)
}, 'must be a date like 2026-05-10T12:00:00')

const paging = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(10),
  offset: z.coerce.number().int().min(0).max(100_000_000).optional(),
}

const shape = {
  context: z.enum(['view', 'edit']).default('view'),
  /** The members of the response, `id,billing.email`; missing or empty: all. */
  _fields: listOf(z.string().max(100))
    .transform((names) => (names.length > 0 ? names : undefined))
    .optional(),
}

/** `GET wc/v3/orders`. Unknown parameters are ignored, as in the public interface. */
export const v3OrdersInput = z.object({
  ...paging,
  ...shape,
  search: z.string().trim().max(200).default(''),
  after: date.optional(),
  before: date.optional(),
  modified_after: date.optional(),
  modified_before: date.optional(),
  dates_are_gmt: flag.default(false),
  include: listOf(id).default([]),
  exclude: listOf(id).default([]),
  order: z.enum(['asc', 'desc']).default('desc'),
  orderby: z.enum(['date', 'id', 'include', 'title', 'slug', 'modified']).default('date'),
  /** `trash`: known in the interface, and always empty here. */
  status: listOf(z.enum(['any', 'trash', ...orderStatuses])).default(['any']),
  /** 0: orders of guests. */
  customer: z.preprocess(notEmpty, z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)).optional(),
  product: id.optional(),
})

/** `GET wc/v3/orders/{id}` */
export const v3OrderInput = z.object({ ...shape, id })

/** `GET wc/v3/orders/{id}/refunds` */
export const v3OrderRefundsInput = z.object({ ...paging, ...shape, id, order: z.enum(['asc', 'desc']).default('desc') })

export type V3OrdersInput = z.output<typeof v3OrdersInput>

/** Every member of an order, in the public interface's order. */
export const v3OrderKeys = [
  'id',
  'parent_id',
  'number',
  'order_key',
  'created_via',
  'version',
  'status',
  'currency',
  'date_created',
  'date_created_gmt',
  'date_modified',
  'date_modified_gmt',
  'discount_total',
  'discount_tax',
  'shipping_total',
  'shipping_tax',
  'cart_tax',
  'total',
  'total_tax',
  'prices_include_tax',
  'customer_id',
  'customer_ip_address',
  'customer_user_agent',
  'customer_note',
  'billing',
  'shipping',
  'payment_method',
  'payment_method_title',
  'transaction_id',
  'date_paid',
  'date_paid_gmt',
  'date_completed',
  'date_completed_gmt',
  'cart_hash',
  'meta_data',
  'line_items',
  'tax_lines',
  'shipping_lines',
  'fee_lines',
  'coupon_lines',
  'refunds',
  'payment_url',
  'is_editable',
  'needs_payment',
  'needs_processing',
] as const

export type V3OrderKey = (typeof v3OrderKeys)[number]
