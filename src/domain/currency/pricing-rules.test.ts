import { describe, expect, it } from 'vitest'
import { convertPricingRules } from './pricing-rules.ts'

const fee = { type: 'percentage', value: '10' } as const

describe('the rules of a price calculator', () => {
  it('CUR-04 the effective rate multiplies price, regular price and sale price, and nothing else', () => {
    const rules = [{ range_start: '1', range_end: '5', price: '19.9', regular_price: '20', sale_price: '19.9' }]
    expect(convertPricingRules(rules, { rate: '1.1', fee })).toEqual([
      { range_start: '1', range_end: '5', price: '24.079', regular_price: '24.2', sale_price: '24.079' },
    ])
    expect(convertPricingRules([{ price: '2' }], { rate: '0.9', fee: { type: 'fixed', value: '0.05' } })).toEqual([
      { price: '1.9' },
    ])
  })

  it('CUR-04 a price that is not set stays so, and what is no number is left alone', () => {
    const rules = [{ price: '10', sale_price: '' }, { price: 'ask us', regular_price: '1e3' }, {}]
    expect(convertPricingRules(rules, { rate: '2', fee: { type: 'fixed', value: '0' } })).toEqual([
      { price: '20', sale_price: '' },
      { price: 'ask us', regular_price: '1e3' },
      {},
    ])
  })
})
