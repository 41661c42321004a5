import { z } from 'zod'
import { storeReview, storeReviewsInput } from '#contract/catalog/store-terms.ts'
import { momentIn } from '#contract/shared/rest-moment.ts'
import { storeProducts } from '#database/catalog/store-products.ts'
import { storeReviews } from '#database/catalog/store-reviews.ts'
import { localTime } from '#shop/shared/local-time.ts'
import { pagingHeaders } from '../../pagination-headers.ts'
import { storeCall } from '../shared/store-call.ts'
import { productRecords } from './product-record.ts'
import { reviewHtml } from './review-html.ts'

/** `products/reviews`: approved reviews. Email addresses and pictures of their authors are never shown. */
export const storeReviewsCall = storeCall({
  name: 'products/reviews',
  method: 'GET',
  summary: 'List reviews',
  tag: 'reviews',
  about: 'catalogue',
  input: storeReviewsInput,
  output: z.array(storeReview),
  async answer({ visit, tools }, query) {
    const { timeZone, language } = tools.settings
    const { page, per_page: perPage, offset: given, orderby } = query
    const instant = (text: string | undefined) => (text === undefined ? null : momentIn(text, timeZone))
    const { total, reviews } = await storeReviews(
      tools.db.kysely,
      {
        productIds: query.product_id,
        categoryIds: query.category_id,
        after: instant(query.after),
        before: instant(query.before),
        orderBy: orderby === 'date_gmt' ? 'date' : orderby,
        descending: query.order === 'desc',
      },
      { limit: perPage, offset: given ?? (page - 1) * perPage },
    )
    const ids = [...new Set(reviews.map(({ productId }) => productId))]
    const { rows } = await storeProducts(tools.db.sql, ids, visit.now)
    const products = new Map((await productRecords(visit, rows)).map((product) => [product.id, product]))
    const written = new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'long' })
    const records = reviews.map((review) => {
      const product = products.get(review.productId)
      return {
        id: review.id,
        date_created: localTime(review.createdAt, timeZone),
        formatted_date_created: written.format(review.createdAt),
        date_created_gmt: localTime(review.createdAt, 'UTC'),
        product_id: review.productId,
        product_name: product?.name ?? '',
        product_permalink: product?.permalink ?? '',
        product_image: product?.images[0] ?? null,
        reviewer: reviewHtml.text(review.author),
        review: reviewHtml.paragraphs(review.content),
        rating: review.rating,
        verified: review.verified,
        reviewer_avatar_urls: {},
      }
    })
    return { body: records, headers: pagingHeaders(visit, { page, perPage, total, offset: given }) }
  },
})
