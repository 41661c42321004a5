import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chartScale, everySecond, labelledPlaces, percentOf } from './chart-scale.ts'

describe('the scale of a chart', () => {
  it.each([
    [0, 1, [0, 1]],
    [1, 1, [0, 1]],
    [3, 3, [0, 1, 2, 3]],
    [7, 8, [0, 2, 4, 6, 8]],
    [100, 100, [0, 50, 100]],
    [137, 150, [0, 50, 100, 150]],
    [9001, 10_000, [0, 5000, 10_000]],
  ])('for %i ends at %i', (highest, top, ticks) => {
    expect(chartScale(highest)).toEqual({ top, ticks })
  })

  it('is round, whole, high enough and not much higher', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (highest) => {
        const { top, ticks } = chartScale(highest)
        const step = (ticks[1] ?? 0) - (ticks[0] ?? 0)
        expect(ticks.at(-1)).toBe(top)
        expect(ticks.every(Number.isInteger)).toBe(true)
        expect(String(step)).toMatch(/^[125]0*$/)
        expect(ticks.length).toBeLessThanOrEqual(5)
        expect(top).toBeGreaterThanOrEqual(highest)
        expect(top - highest).toBeLessThan(step + 1)
      }),
    )
  })
})

describe('the words under a chart', () => {
  it('name the last place, and no more than have room', () => {
    expect(labelledPlaces(7, 7)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(labelledPlaces(30, 6)).toEqual([5, 11, 17, 23, 29])
    expect(labelledPlaces(1, 6)).toEqual([0])
    expect(labelledPlaces(0, 6)).toEqual([])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 800 }), fc.integer({ min: 2, max: 12 }), (count, most) => {
        const places = labelledPlaces(count, most)
        expect(places.at(-1)).toBe(count - 1)
        expect(places.length).toBeLessThanOrEqual(most)
      }),
    )
  })

  it('keep the last one where there is less room', () => {
    expect(everySecond([3, 8, 13, 18, 23])).toEqual([3, 13, 23])
    expect(everySecond([5, 11, 17, 23])).toEqual([11, 23])
    expect(everySecond([])).toEqual([])
  })

  it('has shares of nothing as nought', () => {
    expect(percentOf(1, 3)).toBe(33.3)
    expect(percentOf(5, 0)).toBe(0)
  })
})
