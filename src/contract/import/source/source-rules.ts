import { z } from 'zod'
import {
  sourceFlag,
  sourceId,
  sourceInteger,
  sourceList,
  sourceMoment,
  sourceText,
  sourceWord,
} from './source-values.ts'

/** Settings, taxes, shipping and coupons as another shop's REST v3 writes them. */

export const sourceSetting = z.object({
  id: sourceWord,
  value: z.union([
    z.string(),
    z.number().transform(String),
    z.array(z.string()),
    z.boolean().transform((flag) => (flag ? 'yes' : 'no')),
  ]),
})

/** The public index of a REST interface. */
export const sourceIndex = z.object({
  name: sourceWord,
  description: sourceWord,
  timezone_string: sourceWord,
  namespaces: sourceList(sourceWord),
})

export const sourceTaxClass = z.object({ slug: sourceWord, name: sourceWord })

export const sourceTaxRate = z.object({
  id: sourceId,
  country: sourceWord,
  state: sourceWord,
  postcode: sourceWord,
  city: sourceWord,
  /** Lists of newer versions; older ones have one text with semicolons. */
  postcodes: sourceList(sourceWord),
  cities: sourceList(sourceWord),
  rate: sourceWord,
  name: sourceText,
  priority: sourceInteger,
  compound: sourceFlag,
  shipping: sourceFlag,
  class: sourceWord,
})

export type SourceTaxRate = z.output<typeof sourceTaxRate>

/** Zone 0 covers everything outside of the others. */
export const sourceZone = z.object({
  id: z.union([z.literal(0), sourceId]),
  name: sourceWord,
  order: sourceInteger,
})

export type SourceZone = z.output<typeof sourceZone>

export const sourceZoneLocation = z.object({ code: sourceWord, type: sourceWord })

export const sourceZoneMethod = z.object({
  instance_id: sourceId,
  title: sourceWord,
  order: sourceInteger,
  enabled: sourceFlag,
  method_id: sourceWord,
  settings: z
    .preprocess((given) => (Array.isArray(given) ? {} : given), z.record(z.string(), z.object({ value: sourceText })))
    .default({}),
})

export type SourceZoneMethod = z.output<typeof sourceZoneMethod>

const ids = sourceList(sourceId)

export const sourceCoupon = z.object({
  id: sourceId,
  code: sourceWord,
  status: sourceWord,
  amount: sourceWord,
  date_expires_gmt: sourceMoment,
  discount_type: sourceWord,
  usage_count: sourceInteger,
  individual_use: sourceFlag,
  product_ids: ids,
  excluded_product_ids: ids,
  usage_limit: sourceInteger,
  usage_limit_per_user: sourceInteger,
  limit_usage_to_x_items: sourceInteger,
  free_shipping: sourceFlag,
  product_categories: ids,
  excluded_product_categories: ids,
  exclude_sale_items: sourceFlag,
  minimum_amount: sourceWord,
  maximum_amount: sourceWord,
  email_restrictions: sourceList(sourceWord),
})

export type SourceCoupon = z.output<typeof sourceCoupon>

export const sourceGateway = z.object({ id: sourceWord, title: sourceText, enabled: sourceFlag })

export type SourceSettingValue = z.output<typeof sourceSetting>['value']
