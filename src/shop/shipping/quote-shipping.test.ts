import { describe, expect, it } from 'vitest'
import { splitIntoParcels } from './quote-shipping.ts'

const goods = [
  { key: 'lamp', shippingClass: 'fragile' },
  { key: 'mug', shippingClass: '' },
  { key: 'sofa', shippingClass: 'freight' },
  { key: 'vase', shippingClass: 'fragile' },
]
const keys = (apart: readonly string[], items = goods) =>
  splitIntoParcels(items, apart).map((parcel) => parcel.map(({ key }) => key))

describe('the parcels of a cart', () => {
  it('SHIP-04 all goods travel together while no class ships apart', () => {
    expect(keys([])).toEqual([['lamp', 'mug', 'sofa', 'vase']])
    expect(keys([''])).toEqual([['lamp', 'mug', 'sofa', 'vase']])
  })

  it('SHIP-04 a class that ships apart has one parcel, after the rest', () => {
    expect(keys(['fragile'])).toEqual([
      ['mug', 'sofa'],
      ['lamp', 'vase'],
    ])
    expect(keys(['freight', 'fragile', 'freight'])).toEqual([['mug'], ['sofa'], ['lamp', 'vase']])
  })

  it('SHIP-04 there is no parcel without goods', () => {
    expect(keys(['fragile', 'freight', 'cold'], goods.slice(0, 1))).toEqual([['lamp']])
    expect(keys(['fragile'], [])).toEqual([])
  })
})
