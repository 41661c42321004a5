import { z } from 'zod'
import { paging, recordShape } from '../shared/rest-input.ts'

const value = z.union([z.string(), z.array(z.string())])

/** A group of settings of REST v3. */
export const v3SettingGroup = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  parent_id: z.string(),
  sub_groups: z.array(z.string()),
})
export type V3SettingGroup = z.output<typeof v3SettingGroup>

export const settingTypes = ['text', 'email', 'number', 'textarea', 'select', 'multiselect', 'checkbox'] as const

/** A setting of REST v3: values are texts, `yes` and `no`, or lists of texts. */
export const v3Setting = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  type: z.enum(settingTypes),
  default: value,
  tip: z.string(),
  value,
  options: z.record(z.string(), z.string()).optional(),
  group_id: z.string(),
})
export type V3Setting = z.output<typeof v3Setting>

/** Groups and their settings are few: one page has them all. */
export const v3SettingsQuery = z.object({
  ...paging,
  ...recordShape,
  per_page: z.coerce.number().int().min(1).max(100).default(100),
})

/** Programs send numbers and booleans as well; the shop has texts. */
const given = z.union([z.string().max(10_000), z.number(), z.boolean(), z.array(z.string().max(1000)).max(1000)])

export const v3SettingInput = z.looseObject({ value: given })

/** `POST wc/v3/settings/batch`: each element names its group. */
export const v3SettingsBatchInput = z.looseObject({
  update: z.array(z.looseObject({ group_id: z.string().max(100), id: z.string().max(100), value: given })).default([]),
})
