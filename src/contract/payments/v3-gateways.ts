import { z } from 'zod'
import { flag, paging, recordShape } from '../shared/rest-input.ts'

const gatewaySetting = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  type: z.enum(['text', 'textarea']),
  value: z.string(),
  default: z.string(),
  tip: z.string(),
  placeholder: z.string(),
})

/** A payment gateway of REST v3. */
export const v3Gateway = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  order: z.number().int(),
  enabled: z.boolean(),
  method_title: z.string(),
  method_description: z.string(),
  method_supports: z.array(z.string()),
  settings: z.record(z.string(), gatewaySetting),
  needs_setup: z.boolean(),
})
export type V3Gateway = z.output<typeof v3Gateway>

export const v3GatewaysQuery = z.object({
  ...paging,
  ...recordShape,
  per_page: z.coerce.number().int().min(1).max(100).default(100),
})

export const v3GatewayInput = z.looseObject({
  enabled: flag.optional(),
  title: z.string().max(200).optional(),
  description: z.string().max(2000).optional(),
  order: z.coerce.number().int().min(0).optional(),
  settings: z.record(z.string(), z.string().max(2000)).optional(),
})
