import { describe, expect, it } from 'vitest'
import { stockNews } from './stock-alerts.ts'

const sale = (before: number, after: number, soldOutAt = 0) => stockNews({ before, after, soldOutAt, lowAt: 2 })

describe('news of a sale', () => {
  it.each([
    [4, 3, []],
    [3, 2, ['low_stock']],
    [2, 1, []],
    [1, 0, ['no_stock']],
    [9, 0, ['no_stock']],
    [1, -2, ['no_stock', 'backorder']],
    [0, -1, ['backorder']],
    [-1, -4, ['backorder']],
  ] as const)('from %i pieces to %i', (before, after, news) => {
    expect(sale(before, after)).toEqual(news)
  })

  it('goes by the threshold that counts as sold out', () => {
    expect(sale(6, 5, 5)).toEqual(['no_stock'])
    expect(sale(5, 2, 5)).toEqual(['low_stock'])
  })

  it('says nothing when pieces come back', () => {
    expect([sale(-3, -1), sale(0, 4), sale(1, 2)]).toEqual([[], [], []])
  })
})
