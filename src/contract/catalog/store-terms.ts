import { z } from 'zod'
import { dateText, flag, listOf, paging } from '../shared/rest-input.ts'
import { storeImage } from '../shared/store-money.ts'

const id = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Lists of categories, tags, brands and attribute terms. Without `per_page` a list is whole. */
export const storeTermsInput = z.object({
  page: paging.page,
  per_page: z.coerce.number().int().min(0).max(100).default(0),
  search: z.string().trim().max(200).default(''),
  include: listOf(id).default([]),
  exclude: listOf(id).default([]),
  parent: id.optional(),
  hide_empty: flag.default(true),
  order: z.enum(['asc', 'desc']).default('asc'),
  orderby: z.enum(['name', 'slug', 'count']).default('name'),
})

export type StoreTermsInput = z.output<typeof storeTermsInput>

export const storeTerm = z.object({
  id: z.number().int(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  parent: z.number().int(),
  count: z.number().int(),
})

/** Categories, tags and brands have pages. */
export const storeFiledTerm = storeTerm.extend({
  image: storeImage.nullable(),
  review_count: z.number().int(),
  permalink: z.string(),
})

export type StoreTermRecord = z.infer<typeof storeTerm>
export type StoreFiledTermRecord = z.infer<typeof storeFiledTerm>

export const storeAttribute = z.object({
  id: z.number().int(),
  name: z.string(),
  taxonomy: z.string(),
  type: z.string(),
  order: z.string(),
  has_archives: z.boolean(),
  count: z.number().int(),
})

/** `products/attributes/<id>/terms` */
export const storeAttributeTermsInput = storeTermsInput.extend({ id: z.coerce.number().int().min(1) })
export const storeIdInput = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })

export const storeReviewsInput = z.object({
  ...paging,
  after: dateText.optional(),
  before: dateText.optional(),
  product_id: listOf(id).default([]),
  category_id: listOf(id).default([]),
  order: z.enum(['asc', 'desc']).default('desc'),
  orderby: z.enum(['date', 'date_gmt', 'id', 'rating', 'product']).default('date'),
})

export type StoreReviewsInput = z.output<typeof storeReviewsInput>

export const storeReview = z.object({
  id: z.number().int(),
  date_created: z.string(),
  formatted_date_created: z.string(),
  date_created_gmt: z.string(),
  product_id: z.number().int(),
  product_name: z.string(),
  product_permalink: z.string(),
  product_image: storeImage.nullable(),
  reviewer: z.string(),
  review: z.string(),
  rating: z.number().int(),
  verified: z.boolean(),
  reviewer_avatar_urls: z.record(z.string(), z.string()),
})
