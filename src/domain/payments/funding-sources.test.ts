import { describe, expect, it } from 'vitest'
import { choosesShippingInWallet, offeredFundings, type WantedFundings } from './funding-sources.ts'

const wanted: WantedFundings = {
  funding: ['paypal', 'paylater', 'card', 'venmo'],
  order: ['venmo', 'paypal', 'paylater', 'card'],
  sections: { paypal: ['product', 'cart'], paylater: ['cart'], card: ['cart', 'checkout'], venmo: ['product', 'cart'] },
}
const now = { vault: false, shippingChanges: false }

describe('which buttons a page has', () => {
  it('BTN-01 follow the section list of each funding, in the order of buttons_order', () => {
    expect(offeredFundings(wanted, 'cart', now)).toEqual(['venmo', 'paypal', 'paylater', 'card'])
    expect(offeredFundings(wanted, 'product', now)).toEqual(['venmo', 'paypal'])
    expect(offeredFundings(wanted, 'checkout', now)).toEqual(['card'])
    expect(offeredFundings(wanted, 'minicart', now)).toEqual([])
  })

  it('BTN-01 are only those that the method has, and what the order leaves out comes last', () => {
    expect(offeredFundings({ ...wanted, funding: ['card', 'paypal'], order: ['card'] }, 'cart', now)).toEqual([
      'card',
      'paypal',
    ])
  })

  it('BTN-04 have no Venmo where shipping changes in the window, and no instalments where nothing is charged now', () => {
    expect(offeredFundings(wanted, 'cart', { ...now, shippingChanges: true })).toEqual(['paypal', 'paylater', 'card'])
    expect(offeredFundings(wanted, 'cart', { ...now, vault: true })).toEqual(['venmo', 'paypal', 'card'])
  })
})

describe('where shipping is chosen', () => {
  it.each([
    ['cart', true, '12.00', true],
    ['minicart', true, '0.01', true],
    ['product', true, '5', true],
    ['cart', false, '12.00', false],
    ['cart', true, '0.00', false],
    ['checkout', true, '12.00', false],
    ['order_pay', true, '12.00', false],
  ])('BTN-10 on %s, shipped %s, for %s: in the window %s', (page, needsShipping, total, inWindow) => {
    expect(choosesShippingInWallet(page, needsShipping, total)).toBe(inWindow)
  })
})
