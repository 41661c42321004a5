import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type AddedProduct, type AddRequest, addCheck } from './add-check.ts'
import { lineKey } from './line-key.ts'
import { availablePieces, type CheckedLine, maxQuantity, needsBackorder, type StockFacts, stockFault } from './stock.ts'

const uncounted: StockFacts = {
  stockOwner: null,
  stockQuantity: null,
  reservedByOthers: 0,
  backorders: 'no',
  stockStatus: 'instock',
}
const product = (facts: Partial<AddedProduct> = {}): AddedProduct => ({
  ...uncounted,
  id: 1,
  parentId: null,
  type: 'simple',
  status: 'publish',
  price: 1000,
  soldIndividually: false,
  attributes: [],
  chosen: {},
  ...facts,
})
const counted = (stockQuantity: number, facts: Partial<AddedProduct> = {}) =>
  product({ stockOwner: 1, stockQuantity, ...facts })
const shirt = product({
  type: 'variable',
  price: null,
  attributes: [
    { slug: 'pa_colour', label: 'Colour', forVariations: true, options: [{ value: 'red' }, { value: 'blue' }] },
    { slug: 'size', label: 'Size', forVariations: true, options: [{ value: 'S' }, { value: 'M' }] },
    { slug: 'care', label: 'Care', forVariations: false, options: [{ value: 'hand' }] },
  ],
})
const redAnySize = product({ id: 2, parentId: 1, type: 'variation', chosen: { pa_colour: 'red', size: '' } })
const add = (facts: Partial<AddRequest>) =>
  addCheck({ quantity: 1, product: product(), variation: null, attributes: {}, cart: [], keyOf: () => 'key', ...facts })
const inCart = (quantity: number, stockOwner: number | null = 1, key = 'key') => [{ key, stockOwner, quantity }]

describe('addCheck', () => {
  it('a plain product goes in', () => {
    expect(add({ quantity: 3 })).toEqual({ ok: true, key: 'key', quantity: 3, attributes: {} })
  })

  it('says nothing about a quantity of nothing or a product that is not there', () => {
    for (const facts of [
      { quantity: 0 },
      { quantity: -1 },
      { quantity: 1.5 },
      { quantity: Number.NaN },
      { product: null },
      { product: product({ status: 'trash' }) },
    ]) {
      expect(add(facts)).toEqual({ ok: false, reason: 'nothing-to-add' })
    }
  })

  it('T9 refuses pieces that cost more than any cart may hold, with those that are in it', () => {
    const dear = product({ price: 9_000_000_000_000, stockOwner: null })
    expect(add({ product: dear, quantity: 11 })).toMatchObject({ ok: true })
    expect(add({ product: dear, quantity: 10_000 })).toEqual({ ok: false, reason: 'not-purchasable' })
    expect(add({ product: dear, quantity: 2, cart: inCart(10) })).toEqual({ ok: false, reason: 'not-purchasable' })
  })

  it('a product with options needs a variation, valid values and none missing', () => {
    expect(add({ product: shirt })).toEqual({ ok: false, reason: 'choose-options' })
    const choose = (attributes: Record<string, string>, variation = redAnySize) =>
      add({ product: shirt, variation, attributes })
    expect(choose({ pa_colour: 'blue', size: 'S' })).toEqual({ ok: false, reason: 'invalid-option', label: 'Colour' })
    expect(choose({ pa_colour: 'red', size: 'XXL' })).toEqual({ ok: false, reason: 'invalid-option', label: 'Size' })
    expect(choose({ pa_colour: 'red' })).toEqual({ ok: false, reason: 'missing-options', labels: ['Size'] })
    expect(choose({}, { ...redAnySize, chosen: { pa_colour: '', size: '' } })).toEqual({
      ok: false,
      reason: 'missing-options',
      labels: ['Colour', 'Size'],
    })
    expect(choose({ size: 'M', care: 'hand' })).toEqual({
      ok: true,
      key: 'key',
      quantity: 1,
      attributes: { pa_colour: 'red', size: 'M' },
    })
    expect(choose({ size: 'M' }, { ...redAnySize, parentId: 99 })).toEqual({ ok: false, reason: 'not-a-variation' })
  })

  it('what is sold individually is one piece, once', () => {
    const single = product({ soldIndividually: true })
    expect(add({ product: single, quantity: 5 })).toMatchObject({ ok: true, quantity: 1 })
    expect(add({ product: single, cart: inCart(1) })).toEqual({ ok: false, reason: 'only-one' })
    expect(add({ product: single, cart: inCart(1, null, 'other') })).toMatchObject({ ok: true })
  })

  it('needs a price, publication and a kind that the shop itself sells', () => {
    for (const facts of [
      { price: null },
      { status: 'draft' as const },
      { type: 'external' as const },
      { type: 'grouped' as const },
    ]) {
      expect(add({ product: product(facts) })).toEqual({ ok: false, reason: 'not-purchasable' })
    }
    expect(add({ product: product({ price: 0 }) })).toMatchObject({ ok: true })
  })

  it('counts stock with what is in the cart already', () => {
    expect(add({ product: product({ stockStatus: 'outofstock' }) })).toEqual({ ok: false, reason: 'out-of-stock' })
    expect(add({ product: counted(0) })).toEqual({ ok: false, reason: 'out-of-stock' })
    expect(add({ product: counted(3), quantity: 4 })).toEqual({ ok: false, reason: 'not-enough-stock', inStock: 3 })
    expect(
      add({ product: counted(3), quantity: 2, cart: [...inCart(1), ...inCart(1, 1, 'b'), ...inCart(9, 5, 'c')] }),
    ).toEqual({
      ok: false,
      reason: 'not-enough-with-cart',
      inStock: 3,
      inCart: 2,
    })
    expect(add({ product: counted(3), quantity: 2, cart: inCart(1) })).toMatchObject({ ok: true })
    expect(add({ product: counted(0, { backorders: 'notify' }), quantity: 9 })).toMatchObject({ ok: true })
  })
})

describe('stock', () => {
  const line = (facts: Partial<CheckedLine>): CheckedLine => ({
    ...uncounted,
    key: 'a',
    quantity: 1,
    stockOwner: 1,
    stockQuantity: 5,
    ...facts,
  })

  it('promises what is on hand less what others hold', () => {
    expect(availablePieces(line({ reservedByOthers: 3 }))).toBe(2)
    expect(availablePieces(line({ reservedByOthers: 9 }))).toBe(0)
    expect([availablePieces(uncounted), availablePieces(line({ backorders: 'yes' }))]).toEqual([null, null])
  })

  it('counts lines of the same stock together and stops at the first that fails', () => {
    expect(stockFault([line({ quantity: 3 }), line({ key: 'b', quantity: 2 })])).toBeNull()
    expect(stockFault([line({ quantity: 3 }), line({ key: 'b', quantity: 3 })])).toEqual({
      reason: 'not-enough',
      key: 'a',
      available: 5,
    })
    expect(stockFault([line({ stockOwner: 2 }), line({ key: 'b', quantity: 4, reservedByOthers: 2 })])).toEqual({
      reason: 'not-enough',
      key: 'b',
      available: 3,
    })
    expect(stockFault([line({ stockOwner: null, stockStatus: 'outofstock' })])).toEqual({
      reason: 'out-of-stock',
      key: 'a',
    })
  })

  it('pieces that the merchant keeps back are not sold', () => {
    expect(stockFault([line({})], 4)).toBeNull()
    expect(stockFault([line({})], 5)).toEqual({ reason: 'out-of-stock', key: 'a' })
    expect(stockFault([line({ backorders: 'notify' })], 5)).toBeNull()
  })

  it('says how much fits in a line and when pieces must be ordered first', () => {
    expect(maxQuantity({ ...line({}), soldIndividually: true })).toBe(1)
    expect(maxQuantity({ ...line({}), soldIndividually: false })).toBe(5)
    expect(maxQuantity({ ...line({ reservedByOthers: 2 }), soldIndividually: false })).toBe(3)
    expect(maxQuantity({ ...uncounted, soldIndividually: false })).toBeNull()
    const notify = line({ backorders: 'notify' })
    expect([
      needsBackorder(notify, 5),
      needsBackorder(notify, 6),
      needsBackorder(line({ backorders: 'yes' }), 6),
    ]).toEqual([false, true, false])
  })
})

describe('lineKey', () => {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const plain = { productId: 41, variationId: null, attributes: {} }

  it('is the digest of the product, the variation, its attributes and what was added', () => {
    expect(lineKey(plain, md5)).toBe(md5('41'))
    const red = { productId: 41, variationId: 77, attributes: { attribute_pa_colour: ' red ', attribute_size: 'S' } }
    expect(lineKey(red, md5)).toBe(md5('41_77_attribute_pa_colourredattribute_sizeS'))
    expect(lineKey({ ...plain, custom: { engraving: 'A' } }, md5)).toBe(md5('41_engravingA'))
  })
})
