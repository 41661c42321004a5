import { z } from 'zod'
import { flag, paging, recordShape } from '../shared/rest-input.ts'

/** A shipping zone of REST v3. Number 0 covers what the others leave. */
export const v3Zone = z.object({ id: z.number().int(), name: z.string(), order: z.number().int() })
export type V3Zone = z.output<typeof v3Zone>

/** Lists of zones and methods are short: one page has them all. */
export const v3ShortListQuery = z.object({
  ...paging,
  ...recordShape,
  per_page: z.coerce.number().int().min(1).max(100).default(100),
})

export const v3ZoneInput = z.looseObject({
  name: z.string().trim().max(200).optional(),
  /** Position among the zones, from 1. */
  order: z.coerce.number().int().min(0).max(10_000).optional(),
})

const locationTypes = ['postcode', 'state', 'country', 'continent'] as const

export const v3Location = z.object({ code: z.string(), type: z.enum(locationTypes) })
export type V3Location = z.output<typeof v3Location>

/** `PUT …/locations`: the body is an array, which the call names `locations`. */
export const v3LocationsInput = z.looseObject({
  locations: z
    .array(z.looseObject({ code: z.string().trim().min(1).max(100), type: z.enum(locationTypes).default('country') }))
    .max(5000)
    .default([]),
})

/** One setting of a method, in the format of forms. */
export const v3MethodSetting = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  type: z.enum(['text', 'select', 'price', 'checkbox']),
  value: z.string(),
  default: z.string(),
  tip: z.string(),
  placeholder: z.string(),
  options: z.record(z.string(), z.string()).optional(),
})
export type V3MethodSetting = z.output<typeof v3MethodSetting>

/** A method of a zone. `instance_id` and `id` are the same number. */
export const v3ZoneMethod = z.object({
  id: z.number().int(),
  instance_id: z.number().int(),
  title: z.string(),
  order: z.number().int(),
  enabled: z.boolean(),
  method_id: z.string(),
  method_title: z.string(),
  method_description: z.string(),
  settings: z.record(z.string(), v3MethodSetting),
})
export type V3ZoneMethod = z.output<typeof v3ZoneMethod>

export const v3ZoneMethodInput = z.looseObject({
  method_id: z.string().max(50).optional(),
  /** Position among the methods of the zone, from 1. */
  order: z.coerce.number().int().min(0).max(10_000).optional(),
  enabled: flag.optional(),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
})
export type V3ZoneMethodInput = z.output<typeof v3ZoneMethodInput>

/** A kind of shipping method. */
export const v3ShippingMethod = z.object({ id: z.string(), title: z.string(), description: z.string() })
export type V3ShippingMethod = z.output<typeof v3ShippingMethod>
