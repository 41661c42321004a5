import { describe, expect, it } from 'vitest'
import { money } from '../money/money.ts'
import { activePrice, type EnteredPrice, priceLine } from './active-price.ts'

const dollars = (minor: number) => money(minor, 'USD')
const now = new Date('2031-03-10T12:00:00Z')
const entered = (facts: Partial<EnteredPrice>): EnteredPrice => ({
  regular: dollars(2000),
  sale: dollars(1500),
  saleFrom: null,
  saleTo: null,
  ...facts,
})
const at = (facts: Partial<EnteredPrice>) => activePrice(entered(facts), now)?.price.minor

describe('activePrice', () => {
  it('a sale price counts only below the regular price', () => {
    expect(at({})).toBe(1500)
    expect(at({ sale: dollars(2000) })).toBe(2000)
    expect(at({ sale: dollars(0) })).toBe(0)
    expect(at({ sale: null })).toBe(2000)
  })

  it('a sale runs from its first moment to its last, both included', () => {
    expect(at({ saleFrom: now, saleTo: now })).toBe(1500)
    expect(at({ saleFrom: new Date(now.getTime() + 1) })).toBe(2000)
    expect(at({ saleTo: new Date(now.getTime() - 1) })).toBe(2000)
  })

  it('no regular price is not free', () => {
    expect(activePrice(entered({ regular: null }), now)).toBeNull()
    expect(at({ regular: dollars(0), sale: null })).toBe(0)
  })
})

describe('priceLine', () => {
  const on = (price: number, regular = price) => ({
    price: dollars(price),
    regular: dollars(regular),
    onSale: price < regular,
  })

  it('shows nothing, one price, a sale or a range', () => {
    expect(priceLine([null])).toEqual({ kind: 'none' })
    expect(priceLine([on(100)])).toEqual({ kind: 'single', price: dollars(100) })
    expect(priceLine([on(100, 200), null])).toEqual({ kind: 'sale', regular: dollars(200), price: dollars(100) })
    expect(priceLine([on(300), on(100, 200)])).toEqual({ kind: 'range', from: dollars(100), to: dollars(300) })
    expect(priceLine([on(100, 200), on(100, 300)])).toEqual({ kind: 'single', price: dollars(100) })
  })
})
