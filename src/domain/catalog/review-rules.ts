/** A review as its author writes it. */
export type ReviewText = {
  readonly author: string
  readonly content: string
  /** 1 to 5; null: a comment without stars. */
  readonly rating: number | null
}

export type ReviewFault = 'author-missing' | 'content-missing' | 'content-too-long' | 'rating-out-of-range'

const longestContent = 20_000

/** Returns the first rule that a review breaks, or null. */
export function reviewFault({ author, content, rating }: ReviewText): ReviewFault | null {
  if (author.trim() === '') return 'author-missing'
  if (content.trim() === '') return 'content-missing'
  if (content.length > longestContent) return 'content-too-long'
  if (rating !== null && !(Number.isInteger(rating) && rating >= 1 && rating <= 5)) return 'rating-out-of-range'
  return null
}

/** Statuses of orders that prove a purchase: the author of a review is a verified buyer. */
export const provingStatuses = ['processing', 'completed'] as const
