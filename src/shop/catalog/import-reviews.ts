import type { Transaction } from 'kysely'
import { plainText } from '#contract/addresses/address-csv.ts'
import {
  type ImportedReview,
  type ReviewColumn,
  readImportedReview,
  reviewTitles,
} from '#contract/catalog/reviews-csv.ts'
import { type Header, type RowFault, readHeader, type TextRow } from '#contract/shared/record-csv.ts'
import { findNamedProducts, lockImportedReviews } from '#database/catalog/imported-reviews.ts'
import type { ReviewRow } from '#database/catalog/reviews.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { readShopMark } from '#database/import/shop-identifier.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import {
  importRecords,
  type RecordImportOptions,
  type RecordImportReport,
  type RecordKind,
  type Written,
} from '../import/import-records.ts'
import { plainReview } from '../import/migration/cell-text.ts'
import { canonicalJson, sha256 } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { addReviews, changeReviewIn, type ReviewChange } from './manage-reviews.ts'
import { namedProduct, namesIn } from './reviewed-products.ts'

type ImportTools = Pick<Tools, 'db' | 'clock' | 'settings'>

/**
 * Imports product reviews with answers of the shop, and sends no email. A review is recognized by its ID in the other
 * shop; a review without an ID, by author, date and text. Average ratings follow in the same transaction.
 */
export async function importReviews(
  tools: ImportTools,
  rows: AsyncIterable<TextRow>,
  options: RecordImportOptions,
): Promise<RecordImportReport> {
  return importRecords(tools, rows, reviewKind(tools, await readShopMark(tools.db.kysely)), options)
}

/** A review of the file whose product is known. */
type Placed = {
  readonly place: number
  readonly review: ImportedReview
  readonly productId: number
  /** Its ID here, in a file of this shop; otherwise null. */
  readonly ownId: number | null
  readonly importedId: string
}

function reviewKind({ clock, settings }: ImportTools, shopMark: string): RecordKind<ImportedReview> {
  let header: Header<ReviewColumn> = { found: new Map(), numbered: [], unknown: [] }
  const rowsOf = new Map<string, number>()
  const created = new Set<string>()
  const answers = new Answers()
  let arePicturesNoted = false
  const now = clock.now()

  const faultOf = ({ row }: ImportedReview, column: ReviewColumn, value: string, problem: string): RowFault => ({
    row,
    column: header.found.get(column)?.[0]?.title ?? column,
    value,
    problem,
  })
  const skipped = (...fault: Parameters<typeof faultOf>): Written => ({
    outcome: 'skipped',
    notes: [faultOf(...fault)],
  })

  return {
    open(titles) {
      header = readHeader(titles, reviewTitles)
      const has = (...columns: ReviewColumn[]) => columns.some((column) => header.found.has(column))
      if (!has('content', 'title'))
        return { unknown: [], missing: 'has no column with texts of reviews (comment_content or body)' }
      return has('sku', 'handle', 'productId', 'productTitle')
        ? { unknown: header.unknown }
        : { unknown: [], missing: 'has no column with the products (product_SKU, product_handle or product_id)' }
    },
    read: ([row = { row: 0, cells: [] }]) =>
      readImportedReview(header, row, { timeZone: settings.timeZone, plain: plainReview }),
    async write(tx, reviews, existing) {
      const results = new Map<number, Written>()
      const placed = await place(tx, reviews, results)
      await writeReviews(
        tx,
        placed.filter(({ review }) => review.parent === ''),
        existing,
        results,
      )
      await writeAnswers(
        tx,
        placed.filter(({ review }) => review.parent !== ''),
        existing,
        results,
      )
      return reviews.map((review, at) => noted(review, results.get(at) ?? { outcome: 'skipped' }))
    },
  }

  /** Adds a note to the first review with pictures. */
  function noted(review: ImportedReview, result: Written): Written {
    if (arePicturesNoted || !review.hasPictures || !('outcome' in result)) return result
    arePicturesNoted = true
    const note = faultOf(review, 'pictures', '', 'pictures of reviews are not imported, here and in further rows')
    return { ...result, notes: [...(result.notes ?? []), note] }
  }

  /** Finds the products of the reviews. A comment of another kind, or of a product that is not here, gets its result. */
  async function place(
    tx: Transaction<Schema>,
    reviews: readonly ImportedReview[],
    results: Map<number, Written>,
  ): Promise<Placed[]> {
    const products = await findNamedProducts(tx, namesIn(reviews, shopMark))
    return reviews.flatMap((review, at) => {
      if (review.otherKind !== '') {
        results.set(at, skipped(review, 'kind', review.otherKind, 'is no review'))
        return []
      }
      const product = namedProduct(review, products, shopMark)
      if ('problem' in product) {
        results.set(at, { faults: [faultOf(review, product.column, product.value, product.problem)] })
        return []
      }
      const isOwn = review.shopMark === shopMark && /^\d{1,15}$/.test(review.id)
      const importedId = isOwn ? `${shopMark}:${review.id}` : review.id || identityOf(review)
      return [{ place: at, review, productId: product.id, ownId: isOwn ? Number(review.id) : null, importedId }]
    })
  }

  async function writeReviews(
    tx: Transaction<Schema>,
    placed: readonly Placed[],
    existing: 'update' | 'skip',
    results: Map<number, Written>,
  ): Promise<void> {
    const stored = await storedReviews(tx, placed)
    const fresh: Placed[] = []
    for (const one of placed) {
      const { review, place: at } = one
      const before = rowsOf.get(keyOf(one))
      rowsOf.set(keyOf(one), before ?? review.row)
      const known = stored(one)
      if (before !== undefined)
        results.set(at, { faults: [faultOf(review, 'id', review.id, `is the review of row ${before}, too`)] })
      else if (known) results.set(at, await update(tx, known, one, existing))
      else if (review.status === 'trash') results.set(at, skipped(review, 'status', 'trash', 'is in the trash there'))
      else {
        fresh.push(one)
        created.add(keyOf(one))
        results.set(at, { outcome: 'created' })
      }
    }
    await addReviews(
      tx,
      fresh.map(({ review, productId, importedId }) => ({
        productId,
        customerId: null,
        author: review.author,
        email: review.email,
        rating: review.rating ?? null,
        content: review.content,
        // Review apps without a column for the status export what they publish.
        status: review.status ?? 'approved',
        verified: review.verified ?? undefined,
        reply: review.reply,
        repliedAt: review.reply === '' ? null : (review.repliedAt ?? review.createdAt ?? now),
        importedId,
        createdAt: review.createdAt ?? now,
      })),
      now,
    )
  }

  async function update(
    tx: Transaction<Schema>,
    known: ReviewRow,
    { review, productId }: Placed,
    existing: 'update' | 'skip',
  ): Promise<Written> {
    if (known.status === 'trash') return skipped(review, 'id', review.id, 'is in the trash here')
    if (existing === 'skip') return { outcome: 'skipped' }
    const change = changeOf(review, productId)
    if (isUnchanged(known, change)) return { outcome: 'unchanged' }
    const result = await changeReviewIn(tx, known.id, change, now)
    return result.ok ? { outcome: 'updated' } : { faults: [faultOf(review, 'content', '', result.reason)] }
  }

  /** Writes rows that answer a review. The first answer of the shop counts. */
  async function writeAnswers(
    tx: Transaction<Schema>,
    placed: readonly Placed[],
    existing: 'update' | 'skip',
    results: Map<number, Written>,
  ): Promise<void> {
    const parentOf = (one: Placed): Placed => ({ ...one, importedId: one.review.parent, ownId: null })
    const parents = await storedReviews(tx, placed.map(parentOf))
    for (const one of placed) {
      const { review, place: at, importedId } = one
      answers.add(one.productId, importedId)
      const key = keyOf(parentOf(one))
      const parent = parents(parentOf(one))
      const note = (problem: string) => results.set(at, skipped(review, 'parent', review.parent, problem))
      if (!parent && answers.has(one.productId, review.parent)) note('is part of a longer conversation')
      else if (!parent && answers.postpone(review)) results.set(at, { later: true })
      else if (!parent) {
        const problem = 'is a review that is neither in the file nor here'
        results.set(at, { faults: [faultOf(review, 'parent', review.parent, problem)] })
      } else if (review.status !== null && review.status !== 'approved') note('is answered, but not in public')
      else if (isSameAuthor(review, parent)) note("is continued by its author: only the shop's answer is imported")
      else if (!answers.isFirst(key)) note('is answered in another row of the file already')
      else if (!created.has(key) && existing === 'skip') results.set(at, { outcome: 'skipped' })
      else if (parent.reply.trim() === review.content) results.set(at, { outcome: 'unchanged' })
      else {
        const repliedAt = review.createdAt ?? now
        await changeReviewIn(tx, parent.id, { reply: review.content, repliedAt }, now)
        results.set(at, { outcome: 'updated' })
      }
    }
  }
}

const keyOf = ({ ownId, productId, importedId }: Placed) =>
  ownId === null ? canonicalJson([productId, importedId]) : `${ownId}`

/** Recognizes a review without an ID. */
function identityOf({ author, email, createdAt, content }: ImportedReview): string {
  return `text:${sha256(canonicalJson([author, email, createdAt?.toISOString() ?? '', content])).slice(0, 32)}`
}

/** Locks the reviews that are here already. @returns a function that finds one of them */
async function storedReviews(
  tx: Transaction<Schema>,
  placed: readonly Placed[],
): Promise<(one: Placed) => ReviewRow | undefined> {
  const ids = placed.flatMap(({ ownId }) => (ownId === null ? [] : [ownId]))
  const rows = await lockImportedReviews(tx, ids, placed)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byIdentity = new Map(rows.map((row) => [canonicalJson([row.product_id, row.imported_id]), row]))
  return ({ ownId, productId, importedId }) =>
    (ownId === null ? undefined : byId.get(ownId)) ?? byIdentity.get(canonicalJson([productId, importedId]))
}

/** Answers of the file that were seen so far. */
class Answers {
  readonly #ids = new Set<string>()
  readonly #postponed = new Set<ImportedReview>()
  readonly #answered = new Set<string>()

  add(productId: number, id: string): void {
    this.#ids.add(canonicalJson([productId, id]))
  }

  has(productId: number, id: string): boolean {
    return this.#ids.has(canonicalJson([productId, id]))
  }

  /** @returns false if the answer was postponed before */
  postpone(answer: ImportedReview): boolean {
    const isNew = !this.#postponed.has(answer)
    this.#postponed.add(answer)
    return isNew
  }

  /** @returns false if the review was answered before */
  isFirst(review: string): boolean {
    const isNew = !this.#answered.has(review)
    this.#answered.add(review)
    return isNew
  }
}

function isSameAuthor(answer: ImportedReview, review: ReviewRow): boolean {
  const [own, other] = [emailIdentity(answer.email), emailIdentity(review.email)]
  return own === '' && other === '' ? answer.author === review.author : own === other
}

/** Returns what the file states about a review. */
function changeOf(review: ImportedReview, productId: number): ReviewChange {
  const { author, email, rating, content, status, verified, reply, repliedAt, createdAt } = review
  return {
    productId,
    content,
    ...(author === '' ? {} : { author }),
    ...(email === '' ? {} : { email }),
    ...(rating === undefined ? {} : { rating }),
    ...(status === null ? {} : { status }),
    ...(verified === null ? {} : { verified }),
    ...(reply === '' ? {} : { reply, repliedAt: repliedAt ?? undefined }),
    ...(createdAt === null ? {} : { createdAt }),
  }
}

/** Files have moments to the second, and texts without surrounding space. */
function isUnchanged(stored: ReviewRow, { repliedAt: _, createdAt, ...change }: ReviewChange): boolean {
  const before: ReviewChange = {
    productId: stored.product_id,
    content: stored.content.trim(),
    author: plainText(stored.author, 250),
    email: stored.email,
    rating: stored.rating,
    status: stored.status,
    verified: stored.verified,
    reply: stored.reply.trim(),
  }
  const second = (at: Date) => Math.floor(at.getTime() / 1000)
  const isSameMoment = createdAt === undefined || second(createdAt) === second(stored.created_at)
  return isSameMoment && canonicalJson({ ...before, ...change }) === canonicalJson(before)
}
