import { isEmail } from '#domain/addresses/contact-syntax.ts'
import { type ReviewFault, reviewFault } from '#domain/catalog/review-rules.ts'
import { cleanEmail } from '#domain/customers/email-identity.ts'
import { plainText } from '../addresses/address-csv.ts'
import type { CellResult } from '../import/product-csv-cells.ts'
import { type ColumnTitles, type Header, type RowFault, RowReader, type TextRow } from '../shared/record-csv.ts'
import { answerIn, countIn, momentIn } from '../shared/tolerant-cells.ts'

/** Columns of review files: the titles of the classic export plug-ins, then those of Shopify's review apps. */
const titles = {
  shopMark: ['shop mark'],
  id: ['comment id', 'review id', 'id'],
  parent: ['comment parent'],
  kind: ['comment type'],
  sku: ['product sku', 'sku'],
  handle: ['product slug', 'product handle', 'handle', 'product url'],
  productId: ['comment post id', 'product id', 'post id'],
  productTitle: ['product title', 'product name', 'post title'],
  author: ['comment author', 'reviewer name', 'reviewer', 'author', 'display name', 'name', 'nickname'],
  email: ['comment author email', 'reviewer email', 'author email', 'email'],
  createdUtc: ['comment date gmt', 'date created gmt'],
  created: ['comment date', 'review date', 'created at', 'date created', 'date'],
  content: ['comment content', 'review content', 'body', 'review', 'content', 'comment', 'text'],
  title: ['title', 'review title', 'comment title'],
  status: ['comment approved', 'status', 'state', 'curated', 'published'],
  rating: ['rating', 'review score', 'stars', 'score'],
  verified: ['verified', 'verified buyer', 'verified purchase'],
  reply: ['reply', 'reply content', 'reply body'],
  replied: ['reply date', 'replied at'],
  pictures: ['picture urls', 'pictures', 'images', 'image urls', 'photo urls'],
  // An account of another shop, which means nothing here.
  userId: ['user id'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ReviewColumn = keyof typeof titles
export const reviewTitles: ColumnTitles<ReviewColumn> = titles

/** The product of a review as the file names it; '' where the file does not say. */
export type ReviewedProduct = {
  readonly sku: string
  /** The end of its address. */
  readonly handle: string
  /** Its ID in the shop of the file; null if it has none. */
  readonly id: number | null
  readonly title: string
}

/** A review of a file, or the answer to one. Its texts are as the file has them: markup of other shops included. */
export type ImportedReview = {
  readonly row: number
  /** The mark of the shop that wrote the file; '' for other programs. */
  readonly shopMark: string
  /** The review's ID in the shop of the file; '' if it has none. */
  readonly id: string
  /** The ID of the review that this row answers; '' for a review. */
  readonly parent: string
  /** The word of the file for a comment that is no review, such as `pingback`; '' otherwise. */
  readonly otherKind: string
  readonly product: ReviewedProduct
  readonly author: string
  readonly email: string
  /** 1 to 5; null: without stars; absent: the file does not say. */
  readonly rating: number | null | undefined
  /** With its title as the first paragraph. */
  readonly content: string
  /** Null: the file does not say. */
  readonly status: ReviewStatusWord | null
  /** Null: the file does not say. */
  readonly verified: boolean | null
  readonly reply: string
  readonly repliedAt: Date | null
  /** Null: the file does not say. */
  readonly createdAt: Date | null
  readonly hasPictures: boolean
}

const statuses = {
  approved: ['1', 'approved', 'approve', 'publish', 'published', 'ok', 'yes', 'true', 'active'],
  hold: ['0', 'hold', 'pending', 'unapproved', 'unpublished', 'not yet', 'not-yet', 'no', 'false', 'draft'],
  spam: ['spam'],
  trash: ['trash', 'post-trashed'],
} as const
export type ReviewStatusWord = keyof typeof statuses

const faultTexts: Readonly<Record<ReviewFault, readonly [ReviewColumn, string]>> = {
  'author-missing': ['author', 'is missing'],
  'content-missing': ['content', 'is missing: a review here has a text'],
  'content-too-long': ['content', 'is longer than 20,000 characters'],
  'rating-out-of-range': ['rating', 'must be from 1 to 5'],
}

/** The author where the file names none. */
const unnamed = 'Anonymous'

/**
 * Reads one review or answer. In a file of this shop's kind texts are plain; those of other programs may have markup,
 * and the caller makes it plain with `plain`.
 * @returns null with faults where it cannot be imported
 */
export function readImportedReview(
  header: Header<ReviewColumn>,
  row: TextRow,
  { timeZone, plain }: { readonly timeZone: string; readonly plain: (markup: string) => string },
): { readonly record: ImportedReview | null; readonly faults: readonly RowFault[] } {
  const reader = new RowReader(header, row)
  const shopMark = reader.text('shopMark')
  const isOurs = shopMark !== ''
  const long = (column: ReviewColumn) => {
    const text = reader.text(column).toWellFormed().replaceAll('\0', '')
    return isOurs ? text : plain(text)
  }
  const parent = reader.text('parent').replace(/^0$/, '')
  const author = plainText(isOurs ? reader.text('author') : plain(reader.text('author')), 250)
  const email = cleanEmail(plainText(reader.text('email'), 320))
  // Reviews here may have addresses that an earlier import took over unchecked.
  if (email !== '' && !isOurs && !isEmail(email)) reader.fault('email', 'is no email address')
  const review = {
    row: row.row,
    shopMark,
    id: reader.text('id').slice(0, 200),
    parent: parent.slice(0, 200),
    otherKind: otherKind(reader.text('kind')),
    product: productOf(reader),
    // Erased reviews have no author.
    author: author || (isOurs ? '' : unnamed),
    email,
    rating: reader.has('rating') && parent === '' ? reader.read<number | null>('rating', null, starsIn) : undefined,
    content: contentOf(long('title'), long('content')),
    status: statusOf(reader),
    verified: reader.read<boolean | null>('verified', null, answerIn),
    reply: long('reply'),
    repliedAt: momentOf(reader, 'replied', timeZone),
    createdAt: momentOf(reader, 'createdUtc', 'UTC') ?? momentOf(reader, 'created', timeZone),
    hasPictures: reader.text('pictures') !== '',
  }
  const fault =
    review.otherKind === ''
      ? reviewFault({ ...review, author: review.author || unnamed, rating: review.rating ?? null })
      : null
  if (fault && reader.faults.length === 0) reader.fault(...faultTexts[fault])
  const { sku, handle, id, title } = review.product
  if (sku === '' && handle === '' && id === null && title === '')
    reader.fault('productId', 'is missing: the file must name the product by SKU, handle or ID')
  return reader.faults.length > 0 ? { record: null, faults: reader.faults } : { record: review, faults: [] }
}

/** Reviews here have no title: it becomes the first paragraph, unless the text begins with it. */
function contentOf(title: string, body: string): string {
  if (body.toLowerCase().startsWith(title.toLowerCase())) return body
  return [title, body].filter((part) => part !== '').join('\n\n')
}

function productOf(reader: RowReader<ReviewColumn>): ReviewedProduct {
  const handle = reader.text('handle').replace(/[?#].*$/s, '')
  return {
    sku: plainText(reader.text('sku'), 200),
    handle: plainText(handle.replace(/\/+$/, '').split('/').at(-1) ?? '', 300),
    id: reader.read<number | null>('productId', null, productIdIn),
    title: plainText(reader.text('productTitle'), 500),
  }
}

function productIdIn(cell: string): CellResult<number | null> {
  const digits = /^(?:id:)?(\d{1,15})$/i.exec(cell)?.[1]
  if (digits === undefined) return { problem: 'must be a whole number' }
  return { value: Number(digits) === 0 ? null : Number(digits) }
}

/** Parses stars: `5`, `4.0`, `5/5`, `5 stars`; 0 is a comment without stars. */
function starsIn(cell: string): CellResult<number | null> {
  const count = countIn(cell.replace(/\s*(?:\/\s*5|stars?)$/i, ''))
  if (!('value' in count)) return { problem: 'must be a whole number from 1 to 5' }
  return count.value > 5 ? { problem: 'must be from 1 to 5' } : { value: count.value || null }
}

function momentOf(reader: RowReader<ReviewColumn>, column: ReviewColumn, timeZone: string): Date | null {
  // The classic shop writes zeros for no date.
  if (/^0000-00-00/.test(reader.text(column))) return null
  return reader.read<Date | null>(column, null, (text) => momentIn(text, timeZone))
}

/** An empty cell is a review that waits. */
function statusOf(reader: RowReader<ReviewColumn>): ReviewStatusWord | null {
  return reader.read<ReviewStatusWord | null>('status', reader.has('status') ? 'hold' : null, (text) => {
    const word = text.toLowerCase()
    // The keys of the table are the statuses, as its type states.
    const status = (Object.keys(statuses) as ReviewStatusWord[]).find((one) =>
      (statuses[one] as readonly string[]).includes(word),
    )
    return status ? { value: status } : { problem: 'must be 1, 0, approved, hold, spam or trash' }
  })
}

function otherKind(word: string): string {
  return ['', 'review', 'comment'].includes(word.toLowerCase()) ? '' : word
}

/** The columns of a review file of this shop, in their order: those of the classic export, its mark and the answer. */
export const exportedReviewColumns = [
  'shop_mark',
  'comment_ID',
  'comment_post_ID',
  'product_SKU',
  'product_slug',
  'product_title',
  'comment_author',
  'comment_author_email',
  'comment_date',
  'comment_date_gmt',
  'comment_content',
  'comment_approved',
  'rating',
  'verified',
  'reply',
  'reply_date',
] as const

export type ExportedReviewColumn = (typeof exportedReviewColumns)[number]

/** The words of the classic export for a status. */
export const statusCells: Readonly<Record<ReviewStatusWord, string>> = {
  approved: '1',
  hold: '0',
  spam: 'spam',
  trash: 'trash',
}
