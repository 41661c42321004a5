import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fontMetrics } from './font-metrics.ts'

const font = readFileSync(join(import.meta.dirname, 'data/petrona-regular.ttf'))

it('knows the characters of a font and their widths', () => {
  const { has, advance } = fontMetrics(font)
  expect([...'AzÆžễ€…'].map(has)).toEqual([true, true, true, true, true, true, true])
  expect([...'花🏺م\uffff'].map(has)).toEqual([false, false, false, false])
  // Figures of the font's own table, in thousandths of an em.
  const widths = [...'AilmW'].map((letter) => Math.round(1000 * advance(letter)))
  expect(widths).toEqual([645, 305, 295, 879, 941])
})

it('refuses what is no such font', () => {
  expect(() => fontMetrics(Buffer.alloc(64))).toThrow('the font has no table head')
})
