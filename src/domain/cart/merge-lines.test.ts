import { expect, it } from 'vitest'
import { mergeLines } from './merge-lines.ts'

const line = (key: string, quantity: number) => ({ key, quantity })

it('F23 puts saved lines first and lets the visitor’s own quantity win', () => {
  const merged = mergeLines([line('a', 1), line('b', 5)], [line('c', 2), line('b', 3)])
  expect(merged).toEqual([line('a', 1), line('b', 3), line('c', 2)])
})

it('merging again changes nothing', () => {
  const saved = [line('a', 1), line('b', 5)]
  const guest = [line('b', 3)]
  const once = mergeLines(saved, guest)
  expect(mergeLines(once, guest)).toEqual(once)
  expect(mergeLines(saved, [])).toEqual(saved)
  expect(mergeLines([], guest)).toEqual(guest)
})
