import { describe, expect, it } from 'vitest'
import { stateAtLogin } from './login-state.ts'
import { emptyAddress, emptySession } from './session-state.ts'

const line = (key: string, quantity: number) => ({
  key,
  productId: 1,
  variationId: null,
  quantity,
  attributes: {},
  addedAt: 0,
})
const home = { ...emptyAddress, first_name: 'Ida', country: 'US', address_1: '1 Quay Street', postcode: '94607' }
const work = { ...home, address_1: '2 Mill Road' }
const book = { email: 'ida@example.test', billing: {}, shipping: {}, vat_exempt: false }

describe('what a customer has in hand after logging in', () => {
  it('F23 is both carts and all coupons, each once', () => {
    const saved = { ...emptySession, lines: [line('a', 1), line('b', 5)], coupons: ['ten', 'gift'] }
    const guest = { ...emptySession, lines: [line('b', 2), line('c', 1)], coupons: ['gift', 'new'] }
    const { lines, coupons } = stateAtLogin(saved, guest, book)
    expect(lines.map(({ key, quantity }) => `${quantity} ${key}`)).toEqual(['1 a', '2 b', '1 c'])
    expect(coupons).toEqual(['ten', 'gift', 'new'])
  })

  it('is the own addresses, not those typed before; those where none is kept', () => {
    const guest = { ...emptySession, billing: work, shipping: work }
    const kept = stateAtLogin(emptySession, guest, { ...book, billing: home })
    expect([kept.billing.address_1, kept.shipping.address_1, kept.shipToDifferent]).toEqual([
      '1 Quay Street',
      '1 Quay Street',
      false,
    ])
    const two = stateAtLogin(emptySession, guest, { ...book, billing: home, shipping: work })
    expect([two.shipping.address_1, two.shipToDifferent]).toEqual(['2 Mill Road', true])
    const none = stateAtLogin(emptySession, guest, book)
    expect([none.billing.address_1, none.billing.email]).toEqual(['2 Mill Road', 'ida@example.test'])
  })

  it('T10 is nothing that shows the orders of whoever used the browser before', () => {
    const guest = { ...emptySession, ownOrders: [1001, 1002], generation: 7 }
    const state = stateAtLogin({ ...emptySession, ownOrders: [900], generation: 3 }, guest, book)
    expect(state.ownOrders).toEqual([900])
    expect(state.generation).toBe(3)
  })

  it('P5 is no approval given for another cart', () => {
    const saved = { ...emptySession, lines: [line('a', 1)], approvedWallet: 'W' }
    expect(stateAtLogin(saved, emptySession, book).approvedWallet).toBe('W')
    expect(stateAtLogin(saved, { ...emptySession, lines: [line('b', 1)] }, book).approvedWallet).toBeNull()
  })
})
