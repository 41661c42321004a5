import { z } from 'zod'
import { couponCode } from '#domain/coupons/coupon.ts'
import { datedFilters, dateText, flag, listOf, paging, recordShape as shape } from '../shared/rest-input.ts'
import { amountText, metaDataInput, metaDataRecord } from '../shared/rest-meta-data.ts'
import { couponTypes } from './settings.ts'

export const couponStatuses = ['publish', 'draft', 'pending', 'private'] as const

/** `GET wc/v3/coupons` */
export const v3CouponsInput = z.object({
  ...paging,
  ...shape,
  ...datedFilters,
  orderby: z.enum(['date', 'id', 'include', 'title', 'slug', 'modified']).default('date'),
  code: z.string().max(200).transform(couponCode).optional(),
  /** `any`: all but those in the trash. */
  status: listOf(z.enum(['any', 'trash', ...couponStatuses])).default(['any']),
})

export type V3CouponsInput = z.output<typeof v3CouponsInput>

const id = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const ids = z.array(id).max(1000).optional()
/** 0, null and nothing mean no limit. */
const limit = z
  .preprocess((given) => (given === null || given === '' ? 0 : given), z.coerce.number().int().min(0).max(999_999_999))
  .optional()
const amount = z.preprocess((given) => (given === '' ? '0' : given), amountText).optional()
const expiry = z.union([dateText, z.literal(''), z.null()]).optional()

const couponMembers = {
  amount,
  status: z.enum(couponStatuses).optional(),
  discount_type: z.enum(couponTypes).optional(),
  description: z.string().max(10_000).optional(),
  date_expires: expiry,
  date_expires_gmt: expiry,
  individual_use: flag.optional(),
  product_ids: ids,
  excluded_product_ids: ids,
  usage_limit: limit,
  usage_limit_per_user: limit,
  limit_usage_to_x_items: limit,
  free_shipping: flag.optional(),
  product_categories: ids,
  excluded_product_categories: ids,
  exclude_sale_items: flag.optional(),
  minimum_amount: amount,
  maximum_amount: amount,
  email_restrictions: listOf(z.string().trim().max(320)).optional(),
  meta_data: metaDataInput.optional(),
}

/** `POST wc/v3/coupons` */
export const v3CouponCreate = z.looseObject({ code: z.string().min(1).max(200), ...couponMembers })
/** `PUT wc/v3/coupons/{id}`: missing members stay unchanged. */
export const v3CouponUpdate = z.looseObject({ code: z.string().min(1).max(200).optional(), ...couponMembers })

export type V3CouponUpdate = z.output<typeof v3CouponUpdate>

const time = z.string().nullable()
const number = z.number().int()

/** A coupon of REST v3. */
export const v3CouponRecord = z.object({
  id: number,
  code: z.string(),
  amount: z.string(),
  status: z.enum([...couponStatuses, 'trash']),
  date_created: time,
  date_created_gmt: time,
  date_modified: time,
  date_modified_gmt: time,
  discount_type: z.enum(couponTypes),
  description: z.string(),
  date_expires: time,
  date_expires_gmt: time,
  usage_count: number,
  individual_use: z.boolean(),
  product_ids: z.array(number),
  excluded_product_ids: z.array(number),
  usage_limit: number.nullable(),
  usage_limit_per_user: number.nullable(),
  limit_usage_to_x_items: number.nullable(),
  free_shipping: z.boolean(),
  product_categories: z.array(number),
  excluded_product_categories: z.array(number),
  exclude_sale_items: z.boolean(),
  minimum_amount: z.string(),
  maximum_amount: z.string(),
  email_restrictions: z.array(z.string()),
  /** Ids of customers, and email addresses of guests. */
  used_by: z.array(z.string()),
  meta_data: metaDataRecord,
})

export type V3CouponRecord = z.output<typeof v3CouponRecord>
