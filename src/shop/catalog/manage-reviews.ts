import type { Kysely } from 'kysely'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import {
  deleteReview,
  deriveRatings,
  findPurchases,
  findReview,
  insertReviews,
  type ListedReview,
  lockReview,
  updateReview,
} from '#database/catalog/reviews.ts'
import { findProducts } from '#database/catalog/write-products.ts'
import { transaction } from '#database/engine/connect.ts'
import type { ReviewStatus } from '#database/engine/schema/catalog-terms.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { type ReviewFault, reviewFault } from '#domain/catalog/review-rules.ts'
import { cleanEmail } from '#domain/customers/email-identity.ts'
import type { Tools } from '../shared/tools.ts'

type ReviewTools = Pick<Tools, 'db' | 'clock' | 'chance'>

export type ReviewInput = {
  readonly productId: number
  readonly customerId: number | null
  readonly author: string
  readonly email: string
  /** 1 to 5; null: a comment without stars. */
  readonly rating: number | null
  readonly content: string
  readonly status: ReviewStatus
  /** Absent: an order of the author proves it. */
  readonly verified?: boolean | undefined
  readonly reply?: string | undefined
  readonly repliedAt?: Date | null | undefined
  /** The review's ID in another shop: a second import of it has no effect. */
  readonly importedId?: string | null | undefined
  readonly createdAt?: Date | undefined
}

export type ReviewRefusal = ReviewFault | 'unknown-product' | 'unknown-review'
export type ReviewResult =
  | { readonly ok: true; readonly review: ListedReview }
  | { readonly ok: false; readonly reason: ReviewRefusal }

/**
 * Adds reviews of existing products in the caller's transaction, and derives the ratings of their products. The caller
 * has checked each review with `reviewFault`.
 * @returns the ids of the added ones: a review that was imported before is left out
 */
export async function addReviews(tx: Kysely<Schema>, reviews: readonly ReviewInput[], now: Date): Promise<number[]> {
  const bought = await findPurchases(tx, reviews)
  const added = await insertReviews(
    tx,
    reviews.map((review, index) => ({
      product_id: review.productId,
      customer_id: review.customerId,
      author: review.author.trim(),
      email: cleanEmail(review.email),
      rating: review.rating,
      content: review.content.trim(),
      status: review.status,
      verified: review.verified ?? bought[index] ?? false,
      reply: review.reply ?? '',
      replied_at: review.repliedAt ?? null,
      imported_id: review.importedId ?? null,
      created_at: review.createdAt ?? now,
    })),
    now,
  )
  if (added.length > 0)
    await ratingsChanged(
      tx,
      reviews.map(({ productId }) => productId),
    )
  return added
}

/** Adds one review, written by a customer or the merchant. */
export async function createReview(tools: ReviewTools, review: ReviewInput): Promise<ReviewResult> {
  const fault = reviewFault(review)
  if (fault) return { ok: false, reason: fault }
  return transaction(tools, async (tx) => {
    const [product] = await findProducts(tx, [], [review.productId])
    if (!product || product.type === 'variation') return { ok: false, reason: 'unknown-product' }
    const [id = 0] = await addReviews(tx, [review], tools.clock.now())
    return written(tx, id)
  })
}

type ChangedMember =
  | 'productId'
  | 'author'
  | 'email'
  | 'rating'
  | 'content'
  | 'status'
  | 'verified'
  | 'reply'
  | 'repliedAt'
  | 'createdAt'
export type ReviewChange = { readonly [Key in ChangedMember]?: ReviewInput[Key] | undefined }

/** Changes a review; ratings of its product follow in the same transaction. Absent members stay. */
export async function changeReview(tools: ReviewTools, id: number, change: ReviewChange): Promise<ReviewResult> {
  const now = tools.clock.now()
  return transaction(tools, (tx) => changeReviewIn(tx, id, change, now))
}

/** Does the same in the caller's transaction. */
export async function changeReviewIn(
  tx: Kysely<Schema>,
  id: number,
  change: ReviewChange,
  now: Date,
): Promise<ReviewResult> {
  const before = await lockReview(tx, id)
  if (!before) return { ok: false, reason: 'unknown-review' }
  const { productId = before.product_id, createdAt, reply, repliedAt = now } = change
  const { author = before.author, content = before.content, rating = before.rating } = change
  // Erased reviews have no author: other members stay changeable.
  const fault = reviewFault({ author: author || (before.author === '' ? 'erased' : ''), content, rating })
  if (fault) return { ok: false, reason: fault }
  const [product] = productId === before.product_id ? [before] : await findProducts(tx, [], [productId])
  if (!product || ('type' in product && product.type === 'variation')) return { ok: false, reason: 'unknown-product' }
  const isNewReply = reply !== undefined && reply !== before.reply
  await updateReview(
    tx,
    id,
    {
      product_id: productId,
      author: author.trim(),
      content: content.trim(),
      rating,
      ...(change.email === undefined ? {} : { email: cleanEmail(change.email) }),
      ...(change.status === undefined ? {} : { status: change.status }),
      ...(change.verified === undefined ? {} : { verified: change.verified }),
      ...(isNewReply ? { reply, replied_at: reply === '' ? null : repliedAt } : {}),
      ...(createdAt === undefined ? {} : { created_at: createdAt }),
    },
    now,
  )
  await ratingsChanged(tx, [before.product_id, productId])
  return written(tx, id)
}

/** Deletes a review permanently. @returns the review before its deletion */
export async function removeReview(tools: ReviewTools, id: number): Promise<ReviewResult> {
  return transaction(tools, async (tx) => {
    await lockReview(tx, id)
    const review = await findReview(tx, id)
    if (!review) return { ok: false, reason: 'unknown-review' }
    await deleteReview(tx, id)
    await ratingsChanged(tx, [review.product_id])
    return { ok: true, review }
  })
}

/** Pages show the reviews as well as the figures: they are rendered again even where the figures stay. */
async function ratingsChanged(tx: Kysely<Schema>, productIds: readonly number[]): Promise<void> {
  const products = [...new Set(productIds)]
  await deriveRatings(tx, products)
  await catalogChanged(tx, products)
}

async function written(tx: Kysely<Schema>, id: number): Promise<ReviewResult> {
  const review = await findReview(tx, id)
  if (!review) throw new Error(`review ${id} was not written`)
  return { ok: true, review }
}
