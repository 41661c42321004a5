import { z } from 'zod'
import { idInput as id } from '../shared/number-text.ts'
import { datedFilters, flag, listOf, paging, recordShape } from '../shared/rest-input.ts'
import { optionalMoment, words } from './v3-shapes.ts'

const statuses = ['approved', 'hold', 'spam', 'trash'] as const

/** `wc/v3/products/reviews/{id}` */
export const v3Review = z.object({
  id: z.number(),
  date_created: z.string(),
  date_created_gmt: z.string(),
  product_id: z.number(),
  product_name: z.string(),
  product_permalink: z.string(),
  status: z.enum(statuses),
  reviewer: z.string(),
  reviewer_email: z.string(),
  review: z.string(),
  /** 0: without stars. */
  rating: z.number(),
  verified: z.boolean(),
})
export type V3Review = z.output<typeof v3Review>

const { modified_after: _after, modified_before: _before, ...dated } = datedFilters

/** `GET wc/v3/products/reviews` */
export const v3ReviewsInput = z.object({
  ...paging,
  ...recordShape,
  ...dated,
  orderby: z.enum(['date', 'date_gmt', 'id', 'include', 'product', 'rating']).default('date_gmt'),
  status: listOf(z.enum(['all', ...statuses])).default(['approved']),
  product: listOf(id).default([]),
  reviewer: listOf(id).default([]),
  reviewer_exclude: listOf(id).default([]),
  reviewer_email: words(320).optional(),
})

const rating = z.coerce.number().int().min(0).max(5)
const written = {
  status: z.enum([...statuses, 'unspam', 'untrash']).optional(),
  rating: rating.optional(),
  verified: flag.optional(),
  date_created: optionalMoment,
  date_created_gmt: optionalMoment,
}
const email = words(320).pipe(z.union([z.literal(''), z.email()]))

/** `POST wc/v3/products/reviews` */
export const v3NewReview = z.looseObject({
  ...written,
  product_id: id,
  review: words(20_000).pipe(z.string().min(1)),
  reviewer: words(250).pipe(z.string().min(1)),
  reviewer_email: email,
})

/** `PUT wc/v3/products/reviews/{id}`. Absent members stay unchanged. */
export const v3ReviewChange = z.looseObject({
  ...written,
  product_id: id.optional(),
  review: words(20_000).optional(),
  reviewer: words(250).optional(),
  reviewer_email: email.optional(),
})
