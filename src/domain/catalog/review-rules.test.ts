import { expect, it } from 'vitest'
import { reviewFault } from './review-rules.ts'

const review = { author: 'Ada', content: 'Sturdy.', rating: 5 }

it.each([
  [review, null],
  [{ ...review, rating: null }, null],
  [{ ...review, author: ' ' }, 'author-missing'],
  [{ ...review, content: '\n' }, 'content-missing'],
  [{ ...review, content: 'x'.repeat(20_001) }, 'content-too-long'],
  [{ ...review, rating: 0 }, 'rating-out-of-range'],
  [{ ...review, rating: 6 }, 'rating-out-of-range'],
  [{ ...review, rating: 2.5 }, 'rating-out-of-range'],
])('a review %o has the fault %s', (given, fault) => {
  expect(reviewFault(given)).toBe(fault)
})
