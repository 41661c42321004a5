import { expect, it } from 'vitest'
import { cardSize } from './card-size.ts'

it.each([
  [0, 'xs'],
  [599.5, 'xs'],
  [600, 'sm'],
  [899, 'sm'],
  [900, 'md'],
  [1199.9, 'md'],
  [1200, 'lg'],
  [4000, 'lg'],
])('CARD-01 a width of %d px has the class of %s: each bound belongs to one', (widthPx, size) => {
  expect(cardSize(widthPx)).toBe(size)
})
