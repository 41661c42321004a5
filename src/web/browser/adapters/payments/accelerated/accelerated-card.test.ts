import { expect, it } from 'vitest'
import { cardLabel } from './accelerated-card.ts'

const visa = { brand: 'visa', last4: '1111', expiry: '2030-01', name: 'Ann Bee' }

it('FAST-09 a card is named by the merchant’s pattern', () => {
  expect(cardLabel('{brand} ending in {last4}', visa)).toBe('Visa ending in 1111')
  expect(cardLabel('{name}, {brand} *{last4}, {expiry}', visa)).toBe('Ann Bee, Visa *1111, 01/30')
})

it('FAST-09 brands are written as their owners write them', () => {
  const names = ['mastercard', 'amex', 'jcb', 'china_union_pay', ''].map((brand) =>
    cardLabel('{brand}', { ...visa, brand }),
  )
  expect(names).toEqual(['Mastercard', 'American Express', 'JCB', 'China union pay', ''])
})

it('FAST-09 what stands in braces and means nothing stays, and what is not known is left out', () => {
  expect(cardLabel('{brand} {constructor} {last4}', { ...visa, last4: '' })).toBe('Visa {constructor}')
  expect(cardLabel('until {expiry}', { ...visa, expiry: '2030' })).toBe('until 2030')
})
