import { type ExportedReviewColumn, exportedReviewColumns, statusCells } from '#contract/catalog/reviews-csv.ts'
import { csvLine } from '#contract/shared/csv-line.ts'
import { listReviewsAfter, type ReviewToExport } from '#database/catalog/imported-reviews.ts'
import { readShopMark } from '#database/import/shop-identifier.ts'
import { localTime } from '../shared/local-time.ts'
import type { Tools } from '../shared/tools.ts'

const reviewsAtOnce = 500

/** Yields the lines of a review file, except those in the trash. Its mark tells the import that ids are this shop's. */
export async function* exportReviews({
  db,
  settings: { timeZone },
}: Pick<Tools, 'db' | 'settings'>): AsyncGenerator<string> {
  const mark = await readShopMark(db.kysely)
  yield csvLine(exportedReviewColumns)
  for (let after = 0; ; ) {
    const reviews = await listReviewsAfter(db.kysely, after, reviewsAtOnce)
    for (const review of reviews) {
      const cells = cellsOf(review, mark, timeZone)
      yield csvLine(exportedReviewColumns.map((column) => cells[column]))
    }
    const last = reviews.at(-1)
    if (!last || reviews.length < reviewsAtOnce) return
    after = last.id
  }
}

function cellsOf(
  review: ReviewToExport,
  mark: string,
  timeZone: string,
): Readonly<Record<ExportedReviewColumn, string>> {
  const moment = (at: Date | null, zone: string) => (at === null ? '' : localTime(at, zone).replace('T', ' '))
  return {
    shop_mark: mark,
    comment_ID: String(review.id),
    comment_post_ID: String(review.product_id),
    product_SKU: review.sku ?? '',
    product_slug: review.slug,
    product_title: review.name,
    comment_author: review.author,
    comment_author_email: review.email,
    comment_date: moment(review.created_at, timeZone),
    comment_date_gmt: moment(review.created_at, 'UTC'),
    comment_content: review.content,
    comment_approved: statusCells[review.status],
    rating: review.rating === null ? '' : String(review.rating),
    verified: review.verified ? '1' : '0',
    reply: review.reply,
    reply_date: moment(review.replied_at, timeZone),
  }
}
