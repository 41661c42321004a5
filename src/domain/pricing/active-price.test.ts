import { describe, expect, it } from 'vitest'
import { money } from '../money/money.ts'
import { activePrice, type EnteredPrice, priceLine } from './active-price.ts'

const dollars = (minor: number) => money(minor, 'USD')
const now = new Date('2031-03-10T12:00:00Z')
const entered = (facts: Partial<EnteredPrice>): EnteredPrice => ({
  regular: 2000,
  sale: 1500,
  saleFrom: null,
  saleTo: null,
  ...facts,
})
const at = (facts: Partial<EnteredPrice>) => activePrice(entered(facts), now).price

describe('activePrice', () => {
  it('a sale price counts only below the regular price', () => {
    expect(at({})).toBe(1500)
    expect(at({ sale: 2000 })).toBe(2000)
    expect(at({ sale: 0 })).toBe(0)
    expect(at({ sale: null })).toBe(2000)
  })

  it('a sale runs from its first moment to its last, both included', () => {
    expect(at({ saleFrom: now, saleTo: now })).toBe(1500)
    expect(at({ saleFrom: new Date(now.getTime() + 1) })).toBe(2000)
    expect(at({ saleTo: new Date(now.getTime() - 1) })).toBe(2000)
  })

  it('no regular price is not free', () => {
    expect(at({ regular: null })).toBeNull()
    expect(at({ regular: 0, sale: null })).toBe(0)
  })
})

describe('priceLine', () => {
  const on = (price: number | null, regular = price) => ({
    price,
    regular,
    onSale: price !== null && regular !== null && price < regular,
  })

  it('shows nothing, one price, a sale or a range', () => {
    expect(priceLine([on(null)], 'USD')).toEqual({ kind: 'none' })
    expect(priceLine([on(100)], 'USD')).toEqual({ kind: 'single', price: dollars(100) })
    expect(priceLine([on(100, 200), on(null)], 'USD')).toEqual({
      kind: 'sale',
      regular: dollars(200),
      price: dollars(100),
    })
    expect(priceLine([on(300), on(100, 200)], 'USD')).toEqual({ kind: 'range', from: dollars(100), to: dollars(300) })
    expect(priceLine([on(100, 200), on(100, 300)], 'USD')).toEqual({ kind: 'single', price: dollars(100) })
  })
})
