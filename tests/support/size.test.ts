import { expect, it } from 'vitest'
import { nightly, sampled } from './size.ts'

const rows = Array.from({ length: 57 }, (_, at) => at)

it.skipIf(nightly)('a change tries one row in ten, in their order, the same ones each time', () => {
  const drawn = sampled(rows)
  expect(drawn).toHaveLength(6)
  expect(drawn).toEqual([...new Set(drawn)].sort((a, b) => a - b))
  expect(sampled(rows)).toEqual(drawn)
})

it.skipIf(nightly)('a table of few rows still has one tried', () => {
  expect(sampled(['only'])).toEqual(['only'])
  expect(sampled([])).toEqual([])
})

it.skipIf(!nightly)('a night tries all rows', () => expect(sampled(rows)).toEqual(rows))
