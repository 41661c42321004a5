import { describe, expect, it } from 'vitest'
import { paysForShipping } from './shipping-restriction.ts'

const shipped = (...rates: (string | null)[]) => ({ needsShipping: true, rates })
const limited = { shippingMethods: ['local_pickup', 'flat_rate:2'], withoutShipping: false }

describe('a way to pay that is meant for some ways of shipping', () => {
  it.each([
    ['a kind that it names', shipped('local_pickup:7'), true],
    ['the one that it names', shipped('flat_rate:2'), true],
    ['another of the same kind', shipped('flat_rate:3'), false],
    ['one whose number begins alike', shipped('flat_rate:22'), false],
    ['a kind whose name begins alike', shipped('local_pickup_plus:7'), false],
    ['parcels that it all names', shipped('flat_rate:2', 'local_pickup:1'), true],
    ['parcels of which it names one', shipped('flat_rate:2', 'flat_rate:3'), false],
    ['a parcel without a choice', shipped(null), true],
    ['nothing to ship', { needsShipping: false, rates: [] }, false],
  ])('goes with %s: %o', (_, transport, goes) => {
    expect(paysForShipping(limited, transport)).toBe(goes)
  })

  it('goes with every way of shipping when it names none, and with none when it is wanted so', () => {
    const open = { shippingMethods: [], withoutShipping: true }
    expect(paysForShipping(open, shipped('flat_rate:3'))).toBe(true)
    expect(paysForShipping(open, { needsShipping: false, rates: [] })).toBe(true)
  })
})
