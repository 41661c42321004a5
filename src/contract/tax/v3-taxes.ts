import { z } from 'zod'
import { flag, listOf, paging, recordShape } from '../shared/rest-input.ts'

/** A tax rate of REST v3. */
export const v3Tax = z.object({
  id: z.number().int(),
  country: z.string(),
  state: z.string(),
  /** The first of `postcodes` and of `cities`, for older programs. */
  postcode: z.string(),
  city: z.string(),
  postcodes: z.array(z.string()),
  cities: z.array(z.string()),
  /** Percent with four decimals: `7.2500`. */
  rate: z.string(),
  name: z.string(),
  priority: z.number().int(),
  compound: z.boolean(),
  shipping: z.boolean(),
  order: z.number().int(),
  /** `standard`, or the slug of another class. */
  class: z.string(),
})
export type V3Tax = z.output<typeof v3Tax>

/** `GET wc/v3/taxes` */
export const v3TaxesQuery = z.object({
  ...paging,
  ...recordShape,
  include: listOf(z.coerce.number().int()).default([]),
  exclude: listOf(z.coerce.number().int()).default([]),
  order: z.enum(['asc', 'desc']).default('asc'),
  orderby: z.enum(['id', 'order', 'priority']).default('order'),
  class: z.string().max(100).optional(),
})

const places = listOf(z.string().max(100))

/** Members of a written rate. An order is not stored: rates apply in the order of their numbers. */
export const v3TaxInput = z.looseObject({
  country: z.string().max(2).optional(),
  state: z.string().max(100).optional(),
  postcode: z.string().max(2000).optional(),
  city: z.string().max(2000).optional(),
  postcodes: places.optional(),
  cities: places.optional(),
  rate: z
    .union([z.string().max(20), z.number()])
    .transform(String)
    .optional(),
  name: z.string().max(100).optional(),
  priority: z.coerce.number().int().min(1).max(1000).optional(),
  compound: flag.optional(),
  shipping: flag.optional(),
  class: z.string().max(100).optional(),
})
export type V3TaxInput = z.output<typeof v3TaxInput>

/** A tax class of REST v3. Its slug is its id. */
export const v3TaxClass = z.object({ slug: z.string(), name: z.string() })

export const v3TaxClassInput = z.looseObject({ name: z.string().trim().min(1).max(100) })
