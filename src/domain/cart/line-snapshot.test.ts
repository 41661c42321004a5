import { describe, expect, it } from 'vitest'
import { lineChanges, type ProductSnapshot, snapshotOf } from './line-snapshot.ts'

const counted = (stockQuantity: number, over: Partial<ProductSnapshot> = {}): ProductSnapshot => ({
  type: 'simple',
  chosen: {},
  stockOwner: 7,
  stockQuantity,
  reservedByOthers: 0,
  backorders: 'no',
  stockStatus: 'instock',
  ...over,
})
const changes = (was: ProductSnapshot, is: ProductSnapshot, wanted = 2) =>
  lineChanges(snapshotOf(was, 1200, 'USD'), snapshotOf(is, 1200, 'USD'), wanted)

describe('changes of a line’s product', () => {
  it('is nothing while price and stock serve it as before', () => {
    expect(changes(counted(50), counted(49))).toEqual([])
    expect(changes(counted(2), counted(2))).toEqual([])
  })

  it('is a price that went up or down, in the same currency only', () => {
    const at = (price: number, currency = 'USD') => snapshotOf(counted(5), price, currency)
    expect(lineChanges(at(1200), at(1500), 1)).toEqual([{ about: 'price', was: 1200, is: 1500 }])
    expect(lineChanges(at(1200), at(990), 1)).toEqual([{ about: 'price', was: 1200, is: 990 }])
    expect(lineChanges(at(1200), at(1200, 'JPY'), 1)).toEqual([])
  })

  it('is stock that fell below what is wanted, or ended', () => {
    expect(changes(counted(5), counted(1))).toEqual([
      { about: 'stock', was: { kind: 'in-stock' }, is: { kind: 'too-few', pieces: 1 } },
    ])
    expect(changes(counted(5), counted(5, { reservedByOthers: 4 }))).toEqual([
      { about: 'stock', was: { kind: 'in-stock' }, is: { kind: 'too-few', pieces: 1 } },
    ])
    expect(changes(counted(5), counted(0))).toEqual([
      { about: 'stock', was: { kind: 'in-stock' }, is: { kind: 'sold-out' } },
    ])
  })

  it('is stock that came back', () => {
    expect(changes(counted(1), counted(5))).toEqual([
      { about: 'stock', was: { kind: 'too-few', pieces: 1 }, is: { kind: 'in-stock' } },
    ])
  })

  it('is a product that must be ordered first now', () => {
    const later = { backorders: 'notify' } as const
    expect(changes(counted(5, later), counted(0, later))).toEqual([
      { about: 'stock', was: { kind: 'in-stock' }, is: { kind: 'on-backorder' } },
    ])
    const uncounted = (stockStatus: ProductSnapshot['stockStatus']) =>
      counted(0, { stockOwner: null, stockQuantity: null, stockStatus })
    expect(changes(uncounted('instock'), uncounted('onbackorder'))).toEqual([
      { about: 'stock', was: { kind: 'in-stock' }, is: { kind: 'on-backorder' } },
    ])
  })

  it('is not that the visitor wants more than before', () => {
    expect(changes(counted(5), counted(5), 9)).toEqual([])
  })

  it('takes another type or other fixed options for another product', () => {
    const shape = (over: Partial<ProductSnapshot>) => snapshotOf(counted(1, over), 1, 'USD').shape
    expect(shape({ chosen: { size: 'm', colour: 'sea' } })).toBe(shape({ chosen: { colour: 'sea', size: 'm' } }))
    expect(shape({ chosen: { size: 'm' } })).not.toBe(shape({ chosen: { size: '' } }))
    expect(shape({ type: 'variable' })).not.toBe(shape({}))
  })
})
