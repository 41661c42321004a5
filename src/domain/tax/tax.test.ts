import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shippingTaxClass } from './shipping-tax-class.ts'
import { type TaxRate, type TaxRateRow, taxRateCode, taxRatesFor } from './tax-rate.ts'
import { taxablePlace } from './taxable-place.ts'
import { taxesOn } from './taxes-on.ts'

const rate = (ratePpm: number, compound = false): TaxRate => ({
  id: ratePpm,
  code: `${ratePpm}`,
  label: 'Tax',
  ratePpm,
  compound,
  shipping: true,
})

describe('taxesOn', () => {
  it('a price without tax takes each regular rate alone', () => {
    expect(taxesOn(10_000n, [rate(70_000), rate(30_000)], false)).toEqual([700n, 300n])
  })

  it('a compound rate is charged on the taxes before it', () => {
    expect(taxesOn(39_900_000n, [rate(70_000), rate(30_000, true)], false)).toEqual([2_793_000n, 1_280_790n])
    expect(taxesOn(1_000_000n, [rate(100_000), rate(100_000, true), rate(100_000, true)], false)).toEqual([
      100_000n,
      110_000n,
      121_000n,
    ])
  })

  it('a price with tax gives up the compound rates from last to first, then the regular ones together', () => {
    expect(taxesOn(1_331_000n, [rate(100_000), rate(100_000, true), rate(100_000, true)], true)).toEqual([
      100_000n,
      110_000n,
      121_000n,
    ])
    expect(taxesOn(12_000n, [rate(150_000), rate(50_000)], true)).toEqual([1500n, 500n])
  })

  it('negative prices are taxed symmetrically', () => {
    expect(taxesOn(-12_000n, [rate(200_000)], true)).toEqual([-2000n])
  })

  it('M8 taking the tax out of a price that it was put on gives the price back, within rounding', () => {
    const rates = fc.array(fc.record({ ppm: fc.integer({ min: 0, max: 400_000 }), compound: fc.boolean() }), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), rates, (net, list) => {
        const all = list.map(({ ppm, compound }) => rate(ppm, compound))
        const put = taxesOn(net, all, false).reduce((total, tax) => total + tax, 0n)
        const taken = taxesOn(net + put, all, true).reduce((total, tax) => total + tax, 0n)
        const difference = put - taken
        expect(difference >= -8n && difference <= 8n).toBe(true)
      }),
    )
  })
})

const row = (facts: Partial<TaxRateRow>): TaxRateRow => ({
  id: 1,
  country: '',
  state: '',
  postcodes: [],
  cities: [],
  ratePpm: 100_000,
  name: 'VAT',
  priority: 1,
  compound: false,
  shipping: true,
  class: '',
  ...facts,
})
const losAngeles = { country: 'US', state: 'CA', postcode: '90012', city: 'Los Angeles' }

describe('taxRatesFor', () => {
  const ids = (rows: TaxRateRow[], taxClass = '') => taxRatesFor(rows, losAngeles, taxClass).map(({ id }) => id)

  it('takes the most exact row of each priority', () => {
    const rows = [
      row({ id: 1 }),
      row({ id: 2, country: 'US' }),
      row({ id: 3, country: 'US', state: 'CA' }),
      row({ id: 4, country: 'US', state: 'CA', postcodes: ['900*'] }),
      row({ id: 5, country: 'US', state: 'CA', postcodes: ['900*', '90012'] }),
      row({ id: 6, priority: 2 }),
    ]
    expect(ids(rows)).toEqual([5, 6])
    expect(ids(rows.slice(0, 3))).toEqual([3])
    expect(ids(rows.slice(0, 2))).toEqual([2])
  })

  it('a row with postcodes and cities needs one of each', () => {
    expect(ids([row({ postcodes: ['90012'], cities: ['LOS ANGELES'] })])).toEqual([1])
    expect(ids([row({ postcodes: ['90012'], cities: ['FRESNO'] })])).toEqual([])
    expect(ids([row({ postcodes: ['10001'], cities: ['LOS ANGELES'] })])).toEqual([])
  })

  it('a row of five-digit postcodes matches an address with a ZIP+4', () => {
    const rows = [row({ id: 1, country: 'US', postcodes: ['90000...90100'] }), row({ id: 2, country: 'US' })]
    const at = (postcode: string) => taxRatesFor(rows, { ...losAngeles, postcode }, '').map(({ id }) => id)
    expect([at('90012-1234'), at('90101-0001')]).toEqual([[1], [2]])
    const exact = [row({ id: 1, postcodes: ['90012'] })]
    expect(taxRatesFor(exact, { ...losAngeles, postcode: '90012-1234' }, '').map(({ id }) => id)).toEqual([1])
  })

  it('the lowest id wins between equals, and other classes, countries and states do not match', () => {
    expect(ids([row({ id: 9 }), row({ id: 8 })])).toEqual([8])
    expect(ids([row({ class: 'reduced-rate' }), row({ country: 'DE' }), row({ state: 'NY' })])).toEqual([])
    expect(ids([row({ class: 'reduced-rate' })], 'reduced-rate')).toEqual([1])
  })

  it('names a rate by country, state, name and priority', () => {
    expect(taxRateCode(row({ country: 'US', state: 'CA', name: 'State Tax', priority: 2 }))).toBe('US-CA-STATE TAX-2')
    expect(taxRateCode(row({ name: '' }))).toBe('TAX-1')
  })
})

describe('taxablePlace', () => {
  const nowhere = { country: '', state: '', postcode: '', city: '' }
  const base = { ...nowhere, country: 'DE' }
  const facts = {
    basedOn: 'shipping',
    base,
    shipping: losAngeles,
    billing: nowhere,
    collectedAtBase: false,
    pricesIncludeTax: false,
    defaultLocation: 'none',
  } as const

  it('follows the setting, and the shop itself when the goods are collected there', () => {
    expect(taxablePlace(facts)).toBe(losAngeles)
    expect(taxablePlace({ ...facts, collectedAtBase: true })).toBe(base)
    expect(taxablePlace({ ...facts, basedOn: 'base' })).toBe(base)
  })

  it('an unknown place is the base only when prices contain tax or visitors count as local', () => {
    expect(taxablePlace({ ...facts, basedOn: 'billing' })).toBeNull()
    expect(taxablePlace({ ...facts, basedOn: 'billing', pricesIncludeTax: true })).toBe(base)
    expect(taxablePlace({ ...facts, basedOn: 'billing', defaultLocation: 'base' })).toBe(base)
  })
})

describe('shippingTaxClass', () => {
  const item = (taxClass: string, taxStatus: 'taxable' | 'shipping' | 'none' = 'taxable') => ({ taxClass, taxStatus })
  const order = ['reduced-rate', 'zero-rate']

  it('is the fixed class, or inherited from what is in the cart', () => {
    expect(shippingTaxClass('zero-rate', [item('')], order)).toBe('zero-rate')
    expect(shippingTaxClass('inherit', [item('zero-rate'), item('')], order)).toBe('')
    expect(shippingTaxClass('inherit', [item('zero-rate')], order)).toBe('zero-rate')
    expect(shippingTaxClass('inherit', [item('zero-rate'), item('reduced-rate')], order)).toBe('reduced-rate')
    expect(shippingTaxClass('inherit', [item('', 'none')], order)).toBeNull()
  })
})
