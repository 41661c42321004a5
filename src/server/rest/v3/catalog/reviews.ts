import type { z } from 'zod'
import { type V3Review, v3NewReview, v3Review, v3ReviewChange, v3ReviewsInput } from '#contract/catalog/v3-reviews.ts'
import { momentIn } from '#contract/shared/rest-moment.ts'
import { urls } from '#contract/shared/urls.ts'
import { findReview, type ListedReview, listReviews } from '#database/catalog/reviews.ts'
import {
  changeReview,
  createReview,
  type ReviewRefusal,
  type ReviewResult,
  removeReview,
} from '#shop/catalog/manage-reviews.ts'
import { localTime } from '#shop/shared/local-time.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { invalidParam, unknownId } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'
import { alreadyTrashed } from './products.ts'

const unknown = () => unknownId('review')

/** `wc/v3/products/reviews`. Reviews contain personal data: each access is recorded. */
export const v3ReviewCalls = v3Resource({
  path: 'products/reviews',
  title: 'product review',
  item: v3Review,
  list: {
    query: v3ReviewsInput,
    async run(context, query) {
      const moment = (text: string | undefined) =>
        text === undefined ? null : momentIn(text, query.dates_are_gmt ? 'UTC' : context.tools.settings.timeZone)
      const { per_page: limit, page, offset = limit * (page - 1) } = query
      await context.record('reviews list', `list status=${query.status.join()} page=${page}`)
      const { total, reviews } = await listReviews(
        context.tools.db.kysely,
        {
          statuses: query.status.flatMap((status) => (status === 'all' ? [] : [status])),
          products: query.product,
          include: query.include,
          exclude: query.exclude,
          customers: query.reviewer,
          withoutCustomers: query.reviewer_exclude,
          email: query.reviewer_email,
          text: query.search,
          after: moment(query.after),
          before: moment(query.before),
        },
        {
          sort: query.orderby === 'date_gmt' ? 'date' : query.orderby,
          descending: query.order === 'desc',
          limit,
          offset,
        },
      )
      return { total, records: reviews.map((review) => reviewRecord(context, review)) }
    },
  },
  async get(context, id: number) {
    const review = await findReview(context.tools.db.kysely, id)
    if (!review) throw unknown()
    await context.record('reviews show', `review:${id}`)
    return reviewRecord(context, review)
  },
  create: {
    input: v3NewReview,
    async run(context, input) {
      const result = await createReview(context.tools, {
        productId: input.product_id,
        customerId: null,
        author: input.reviewer,
        email: input.reviewer_email,
        rating: input.rating || null,
        content: input.review,
        status: statusOf(input.status) ?? 'approved',
        verified: input.verified,
        createdAt: createdAt(context, input),
      })
      const review = written(result)
      await context.record('reviews create', `review:${review.id}`)
      return reviewRecord(context, review)
    },
  },
  update: {
    input: v3ReviewChange,
    async run(context, id, input) {
      const result = await changeReview(context.tools, id, {
        productId: input.product_id,
        author: input.reviewer,
        email: input.reviewer_email,
        content: input.review,
        status: statusOf(input.status),
        verified: input.verified,
        rating: input.rating === undefined ? undefined : input.rating || null,
        createdAt: createdAt(context, input),
      })
      const review = written(result)
      await context.record('reviews update', `review:${id}`)
      return reviewRecord(context, review)
    },
  },
  remove: {
    trash: true,
    async run(context, id, { force }) {
      const review = await findReview(context.tools.db.kysely, id)
      if (!review) throw unknown()
      if (!force && review.status === 'trash') throw alreadyTrashed('review')
      const result = force
        ? await removeReview(context.tools, id)
        : await changeReview(context.tools, id, { status: 'trash' })
      const gone = written(result)
      await context.record('reviews delete', `review:${id}`)
      return reviewRecord(context, gone)
    },
  },
  batch: true,
  links: ({ product_id: product }: V3Review) => ({
    up: [{ href: `wc/v3/products/${product}`, embeddable: true }],
  }),
})

type Given = Pick<z.output<typeof v3ReviewChange>, 'status' | 'date_created' | 'date_created_gmt'>

/** A review that was spam or in the trash waits for approval. */
function statusOf(status: Given['status']) {
  return status === 'unspam' || status === 'untrash' ? 'hold' : status
}

function createdAt({ tools }: V3Context, { date_created: local, date_created_gmt: utc }: Given): Date | undefined {
  if (utc) return momentIn(utc, 'UTC')
  return local ? momentIn(local, tools.settings.timeZone) : undefined
}

const problems: Readonly<Record<ReviewRefusal, readonly [name: string, problem: string]>> = {
  'unknown-product': ['product_id', 'there is no such product'],
  'unknown-review': ['id', 'there is no such review'],
  'author-missing': ['reviewer', 'must not be empty'],
  'content-missing': ['review', 'must not be empty'],
  'content-too-long': ['review', 'is too long'],
  'rating-out-of-range': ['rating', 'must be from 1 to 5'],
}

function written(result: ReviewResult): ListedReview {
  if (result.ok) return result.review
  if (result.reason === 'unknown-review') throw unknown()
  if (result.reason === 'unknown-product') throw unknownId('product')
  throw invalidParam(...problems[result.reason])
}

function reviewRecord({ tools }: V3Context, review: ListedReview): V3Review {
  return {
    id: review.id,
    date_created: localTime(review.created_at, tools.settings.timeZone),
    date_created_gmt: localTime(review.created_at, 'UTC'),
    product_id: review.product_id,
    product_name: review.product_name,
    product_permalink: tools.publicUrl + urls.product(encodeURIComponent(review.product_slug)),
    status: review.status,
    reviewer: review.author,
    reviewer_email: review.email,
    review: review.content,
    rating: review.rating ?? 0,
    verified: review.verified,
  }
}
