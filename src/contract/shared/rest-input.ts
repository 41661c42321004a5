import { z } from 'zod'
import { idInput as id } from './number-text.ts'

/** A list in the formats of programs: `1,2`, `include[]=1&include[]=2`, `include[0]=1`. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((given) => {
    if (typeof given === 'string') return given.split(',').flatMap((part) => part.trim() || [])
    return typeof given === 'object' && given !== null ? Object.values(given) : given
  }, z.array(item).max(1000))

/** A boolean in the formats of programs: `true`, `1`, `"false"`, `"0"`, `"no"`, `""`. */
export const flag = z.preprocess(
  (given) =>
    typeof given === 'string'
      ? !['', '0', 'false', 'no'].includes(given.toLowerCase())
      : typeof given === 'number'
        ? given !== 0
        : given,
  z.boolean(),
)

/** An empty value means no filter, not 0, which an empty text would be converted to. */
export const notEmpty = (given: unknown) => (given === '' ? Number.NaN : given)

const moment =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?(?:Z|[+-](\d{2}):?(\d{2}))?$/i

/** An ISO 8601 time; without an offset it is in the shop's time zone, or in UTC if the program requests it. */
export const dateText = z.string().refine((text) => {
  const [, year, month, day, hour = 0, minute = 0, second = 0, offHours = 0, offMinutes = 0] = moment.exec(text) ?? []
  const read = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const isDay = read.getUTCMonth() === Number(month) - 1 && read.getUTCDate() === Number(day)
  const isTime = (hours: unknown, minutes: unknown) => Number(hours) < 24 && Number(minutes) < 60
  return isDay && isTime(hour, minute) && Number(second) < 60 && isTime(offHours, offMinutes)
}, 'must be a date like 2026-05-10T12:00:00')

/** Parameters of a list's pages. */
export const paging = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(10),
  offset: z.coerce.number().int().min(0).max(100_000_000).optional(),
}

/** Parameters of a record's form. */
export const recordShape = {
  context: z.enum(['view', 'edit', 'embed']).default('view'),
  /** The members of the response, `id,billing.email`; missing or empty: all. */
  _fields: listOf(z.string().max(100))
    .transform((names) => (names.length > 0 ? names : undefined))
    .optional(),
  /** Linked records to include: all, as `_embed` or `_embed=true`, or by relation, `_embed=up,upsell`. */
  _embed: z
    .preprocess(
      (given) => (typeof given === 'string' && ['', '1', 'true'].includes(given) ? true : given),
      z.union([z.literal(true), listOf(z.string().max(100))]),
    )
    .optional(),
}

/** Parameters by which a list of dated records is narrowed. */
export const datedFilters = {
  search: z.string().trim().max(200).default(''),
  after: dateText.optional(),
  before: dateText.optional(),
  modified_after: dateText.optional(),
  modified_before: dateText.optional(),
  dates_are_gmt: flag.default(false),
  include: listOf(id).default([]),
  exclude: listOf(id).default([]),
  order: z.enum(['asc', 'desc']).default('desc'),
}
