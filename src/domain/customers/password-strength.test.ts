import { describe, expect, it } from 'vitest'
import { createPasswordScorer } from './password-strength.ts'

describe('an estimate of strength', () => {
  const seen: { maxLength: number; l33tMaxSubstitutions: number; own: string[] }[] = []
  const passwordScore = createPasswordScorer(
    class {
      readonly options: { maxLength: number; l33tMaxSubstitutions: number }
      constructor(options: { maxLength: number; l33tMaxSubstitutions: number }) {
        this.options = options
      }
      check(password: string, own: string[]) {
        seen.push({ ...this.options, own })
        return { guesses: 2 ** password.length }
      }
    },
    {},
  )

  it('is of bounded time: its length, the disguises and the own words are limited', () => {
    passwordScore('x', ['', 'of', 'Ada', 'Ada', ...Array.from({ length: 5000 }, (_, n) => `word ${n}`)])
    // With 100 characters and 100 disguises one estimate took 0.3 to 1.2 seconds.
    expect(seen.at(-1)).toMatchObject({ maxLength: 32, l33tMaxSubstitutions: 10 })
    expect(seen.at(-1)?.own.slice(0, 2)).toEqual(['Ada', 'word 0'])
    expect(seen.at(-1)?.own).toHaveLength(50)
  })

  it.each([
    [9, 0],
    [10, 1],
    [20, 2],
    [26, 2],
    [27, 3],
    [33, 4],
  ])('of 2 to the power of %s guesses is %s', (bits, score) => {
    expect(passwordScore('x'.repeat(bits))).toBe(score)
  })
})
