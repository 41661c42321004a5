import { describe, expect, it } from 'vitest'
import { hint, nearest } from './suggest-word.ts'

describe('what was probably meant', () => {
  const known = ['import', 'export', 'list', 'remove', 'add-method', 'coupons']

  it.each([
    ['exprot', 'export'],
    ['lst', 'list'],
    ['IMPORT', 'import'],
    ['addmethod', 'add-method'],
    ['coup', 'coupons'],
    ['impart', 'import'],
  ])('%s is near %s', (typed, word) => {
    expect(nearest(typed, known)).toBe(word)
  })

  it.each(['taxes', 'x', '', 'frobnicate'])('nothing is near "%s"', (typed) => {
    expect(nearest(typed, known)).toBeNull()
    expect(hint(typed, known)).toBe('')
  })
})
