import { describe, expect, it } from 'vitest'
import type { WalletOrder } from '#contract/paypal/order.ts'
import { walletMatches } from './read-wallet-order.ts'

const shipping = { address_1: '1 Main Street', address_2: 'Flat 3', city: 'San Jose', postcode: '95131', country: 'US' }
const order = { id: 1007, total: 1977, currency: 'USD', shipping }
type Unit = NonNullable<WalletOrder['purchase_units']>[number]
const unit: Unit = { custom_id: '1007', amount: { currency_code: 'USD', value: '19.77' } }
const wallet = (...units: Unit[]): WalletOrder => ({
  id: '5O190127TN364715T',
  status: 'APPROVED',
  purchase_units: units,
})

const address = {
  address_line_1: '1 Main Street',
  address_line_2: 'Flat 3',
  admin_area_2: 'San Jose',
  postal_code: '95131',
  country_code: 'US',
}
const sentTo = (other: Partial<typeof address>) => wallet({ ...unit, shipping: { address: { ...address, ...other } } })

describe('an approved wallet order', () => {
  it('P3 pays for the order that it names, in its amount and currency', () => {
    expect(walletMatches(order, wallet(unit))).toBe(true)
  })

  it.each<[string, Partial<typeof address>]>([
    ['as it is', {}],
    ['in capitals and without points', { address_line_1: '1 MAIN STREET', address_line_2: 'FLAT 3.' }],
    ['on one line', { address_line_1: '1 Main Street, Flat 3', address_line_2: '' }],
    ['with the town by another name', { admin_area_2: 'San José' }],
  ])('P3 pays for an order that goes where it shows, %s', (_, other) => {
    expect(walletMatches(order, sentTo(other))).toBe(true)
  })

  it('P3 pays for an order whose address the provider was told, in whatever words it shows it', () => {
    const shortened = sentTo({ address_line_1: '1 MAIN ST FL 3' })
    expect(walletMatches(order, shortened)).toBe(false)
    expect(walletMatches(order, shortened, () => true)).toBe(true)
    expect(walletMatches({ ...order, total: 1978 }, shortened, () => true)).toBe(false)
  })

  it.each<[string, WalletOrder]>([
    ['P5 that goes to another street', sentTo({ address_line_1: '99 Other Road' })],
    ['P5 that goes to another flat', sentTo({ address_line_2: 'Flat 4' })],
    ['P5 that goes to the same street elsewhere', sentTo({ postal_code: '95132' })],
    ['P5 that goes to another country', sentTo({ country_code: 'CA' })],
    ['T1 for another order', wallet({ ...unit, custom_id: '1008' })],
    ['T1 for no order', wallet({ amount: { currency_code: 'USD', value: '19.77' } })],
    ['T2 for less', wallet({ ...unit, amount: { currency_code: 'USD', value: '19.76' } })],
    ['T2 for more', wallet({ ...unit, amount: { currency_code: 'USD', value: '19.78' } })],
    ['T2 for as many units of another currency', wallet({ ...unit, amount: { currency_code: 'EUR', value: '19.77' } })],
    ['T2 for an amount that is none', wallet({ ...unit, amount: { currency_code: 'USD', value: '1977e-2' } })],
    ['T2 for nothing that is said', wallet({ custom_id: '1007' })],
    ['T1 for two purchases at once', wallet(unit, unit)],
    ['T1 for no purchase', wallet()],
  ])('%s takes no money', (_, approved) => {
    expect(walletMatches(order, approved)).toBe(false)
  })
})
