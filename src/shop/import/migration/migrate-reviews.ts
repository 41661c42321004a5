import { type SourceReview, sourceReview } from '#contract/import/source/source-people.ts'
import { transaction } from '#database/engine/connect.ts'
import type { ReviewStatus } from '#database/engine/schema/catalog-terms.ts'
import { reviewFault } from '#domain/catalog/review-rules.ts'
import { addReviews, type ReviewInput } from '../../catalog/manage-reviews.ts'
import { plainName, plainReview } from './cell-text.ts'
import { byId, eachPage, type MigrationRun, sinceQuery } from './migration-run.ts'

const kind = 'reviews'
const statuses: Readonly<Record<string, ReviewStatus>> = { approved: 'approved', hold: 'hold', spam: 'spam' }

/** Brings product reviews with their stars. Reviews of products that are not here are left out. */
export async function migrateReviews(run: MigrationRun): Promise<void> {
  const query = { ...byId, status: 'all', ...sinceQuery(run) }
  await eachPage(run, { kind, path: 'products/reviews', query }, sourceReview, async (reviews) => {
    const known = await run.known(
      kind,
      reviews.map(({ id }) => id),
    )
    run.report.known(kind, known.size)
    const fresh = reviews.filter(({ id }) => !known.has(String(id)))
    const products = await run.known(
      'products',
      fresh.map(({ product_id: id }) => id),
    )
    const inputs: { id: number; input: ReviewInput }[] = []
    for (const review of fresh) {
      const input = reviewInput(review, products.get(String(review.product_id)) ?? null)
      if (typeof input === 'string') run.report.left(kind, review.id, input)
      else {
        const fault = reviewFault(input)
        if (fault) run.report.fault(kind, review.id, fault)
        else inputs.push({ id: review.id, input })
      }
    }
    const tools = run.tools()
    if (!run.options.dryRun && inputs.length > 0) {
      await transaction(tools, (tx) =>
        addReviews(
          tx,
          inputs.map(({ input }) => input),
          tools.clock.now(),
        ),
      )
    }
    await run.record(
      kind,
      inputs.map(({ id }) => ({ sourceId: String(id), ownId: null })),
    )
    run.report.added(kind, inputs.length)
  })
}

/** @returns the reason to leave the review out, as text */
function reviewInput(review: SourceReview, productId: number | null): ReviewInput | string {
  const status = statuses[review.status]
  if (!status) return `has the status "${review.status}" and does not come`
  if (productId === null) return `its product ${review.product_id} is not here`
  const rating = review.rating !== null && review.rating >= 1 && review.rating <= 5 ? review.rating : null
  return {
    productId,
    customerId: null,
    author: plainName(review.reviewer) || 'Anonymous',
    email: review.reviewer_email,
    rating,
    content: plainReview(review.review),
    status,
    verified: review.verified,
    importedId: String(review.id),
    createdAt: review.date_created_gmt ?? undefined,
  }
}
