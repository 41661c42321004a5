import { expect, it } from 'vitest'
import { sampled } from './size.ts'

const rows = Array.from({ length: 57 }, (_, at) => at)

it('a sample is one row in ten, in their order, the same ones each time', () => {
  const drawn = sampled(rows, true)
  expect(drawn).toHaveLength(6)
  expect(drawn).toEqual([...new Set(drawn)].sort((a, b) => a - b))
  expect(sampled(rows, true)).toEqual(drawn)
})

it('a table of few rows still has one tried', () => {
  expect(sampled(['only'], true)).toEqual(['only'])
  expect(sampled([], true)).toEqual([])
})

it('a run that takes no sample tries all rows', () => expect(sampled(rows, false)).toEqual(rows))
