import { describe, expect, it } from 'vitest'
import type { WalletOrder } from '#contract/paypal/order.ts'
import { walletMatches } from './read-wallet-order.ts'

const order = { id: 1007, total: 1977, currency: 'USD' }
type Unit = NonNullable<WalletOrder['purchase_units']>[number]
const unit: Unit = { custom_id: '1007', amount: { currency_code: 'USD', value: '19.77' } }
const wallet = (...units: Unit[]): WalletOrder => ({
  id: '5O190127TN364715T',
  status: 'APPROVED',
  purchase_units: units,
})

describe('an approved wallet order', () => {
  it('P3 pays for the order that it names, in its amount and currency', () => {
    expect(walletMatches(order, wallet(unit))).toBe(true)
  })

  it.each<[string, WalletOrder]>([
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
