import { expect, it } from 'vitest'
import { createRandomPool } from './random-pool.ts'

it('gives as many bytes as are asked for, each of them once', () => {
  const hex = createRandomPool()
  const seen = new Set<string>()
  // Repeated or wiped bytes would show within a few refills.
  for (let nr = 0; nr < 3_000; nr += 1) {
    const bytes = 4 + (nr % 61)
    const text = hex(bytes)
    expect(text).toMatch(/^[\da-f]+$/)
    expect(text).toHaveLength(bytes * 2)
    seen.add(text)
  }
  expect(seen.size).toBe(3_000)
  expect([...seen].filter((text) => /^0{8}|0{8}$/.test(text))).toEqual([])
  expect(hex(0)).toBe('')
  expect(hex(5_000)).toHaveLength(10_000)
})

it('has every digit about equally often', () => {
  const hex = createRandomPool()
  const digits = Array.from({ length: 4_000 }, () => hex(8)).join('')
  for (const digit of '0123456789abcdef') {
    const times = digits.split(digit).length - 1
    // Sixty-four thousand digits: 4,000 of each, with a standard deviation of 61.
    expect(Math.abs(times - 4_000)).toBeLessThan(400)
  }
})
