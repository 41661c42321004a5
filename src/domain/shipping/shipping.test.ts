import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '../money/money.ts'
import { chosenRate } from './chosen-rate.ts'
import { formulaCost, parseCostFormula } from './cost-formula.ts'
import {
  formulaFault,
  type PackageItem,
  packageOf,
  type ShippingMethod,
  shippingRates,
  splitOption,
} from './shipping-rates.ts'
import { type ShippingZone, zoneFor } from './shipping-zone.ts'

const dollars = (minor: number) => money(minor, 'USD')

describe('zoneFor', () => {
  const zone = (id: number, facts: Partial<ShippingZone>): ShippingZone => ({
    id,
    order: id,
    countries: [],
    continents: [],
    postcodes: [],
    ...facts,
  })
  const losAngeles = { country: 'US', state: 'CA', postcode: '90012', city: 'Los Angeles', continent: 'NA' }
  const found = (...zones: ShippingZone[]) => zoneFor(zones, losAngeles)?.id

  it('takes the first that covers country, state or continent, in the merchant’s order', () => {
    expect(
      found(zone(1, { countries: ['DE'] }), zone(2, { countries: ['US:CA'] }), zone(3, { countries: ['US'] })),
    ).toBe(2)
    expect(found(zone(1, { countries: ['US'], order: 9 }), zone(2, { continents: ['NA'] }))).toBe(2)
    expect(found(zone(1, { countries: ['US:NY'] }), zone(0, {}))).toBe(0)
    expect(found(zone(1, { countries: ['US:NY'] }))).toBeUndefined()
  })

  it('postcodes narrow a zone, and alone cover any country', () => {
    expect(found(zone(1, { countries: ['US'], postcodes: ['10*'] }), zone(2, { countries: ['US'] }))).toBe(2)
    expect(found(zone(1, { postcodes: ['90000...90100'] }))).toBe(1)
    expect(found(zone(1, { countries: ['DE'], postcodes: ['90012'] }))).toBeUndefined()
  })

  it('a zone of five-digit postcodes covers an address with a ZIP+4', () => {
    const zones = [zone(1, { countries: ['US'], postcodes: ['94102...94134'] }), zone(0, {})]
    expect(zoneFor(zones, { ...losAngeles, postcode: '94107-1234' })?.id).toBe(1)
    expect(zoneFor(zones, { ...losAngeles, postcode: '94135-0001' })?.id).toBe(0)
  })

  it('M8 every destination has the first zone that covers it, or the fallback, whatever the rules say', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('*', '...', '1...9', 'A...Z', '90*', 'US', 'US:CA', 'DE', ''),
    )
    const zones = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 0, max: 9 }),
        order: fc.integer({ min: 0, max: 3 }),
        countries: fc.array(texts, { maxLength: 2 }),
        continents: fc.array(fc.constantFrom('EU', 'NA'), { maxLength: 1 }),
        postcodes: fc.array(texts, { maxLength: 2 }),
      }),
      { selector: ({ id }) => id },
    )
    const places = fc.record({
      country: fc.constantFrom('US', 'DE', ''),
      state: fc.constantFrom('CA', ''),
      postcode: texts,
      city: fc.constant(''),
      continent: fc.constantFrom('EU', 'NA', null),
    })
    fc.assert(
      fc.property(zones, places, (all, place) => {
        const chosen = zoneFor(all, place)
        const fallback = all.find(({ id }) => id === 0)
        if (!chosen || chosen.id === 0) {
          expect(chosen).toBe(fallback)
          // A zone without any rule covers everything.
          expect(
            all.filter(
              ({ id, countries, continents, postcodes }) =>
                id !== 0 && countries.length + continents.length + postcodes.length === 0,
            ),
          ).toEqual([])
          return
        }
        // Alone it covers the destination too, and no earlier one does.
        expect(zoneFor([chosen], place)).toBe(chosen)
        for (const other of all) {
          const before = other.order < chosen.order || (other.order === chosen.order && other.id < chosen.id)
          if (before && other.id !== 0) expect(zoneFor([other], place)).toBeUndefined()
        }
      }),
      { numRuns: 400 },
    )
  })

  it('the fallback zone comes last wherever it is sorted, and an empty zone covers the world', () => {
    expect(found(zone(0, { order: -1 }), zone(1, { countries: ['US'] }))).toBe(1)
    expect(found(zone(1, {}))).toBe(1)
  })
})

describe('cost formula', () => {
  const cost = (text: string) => {
    const parsed = parseCostFormula(text)
    if (!parsed.ok) return `unexpected "${parsed.found}" at ${parsed.at}`
    const result = formulaCost(parsed.formula, { quantity: 3, cost: dollars(12_345), weightGrams: 2_750 })
    return result.ok ? result.cost.minor : result.reason
  }

  it.each([
    ['4.95', 495],
    ['4,95', 495],
    ['0', 0],
    [' 10 + 2 * 3 ', 1600],
    ['(10 + 2) * 3', 3600],
    ['10 - 4 - 3', 300],
    ['12 / 4 / 3', 100],
    ['5 * [qty]', 1500],
    ['2.50 + 1.25 * ([qty] - 1)', 500],
    ['[cost] / 10', 1235],
    ['[fee percent="10"]', 1235],
    ['[fee percent="10" min_fee="20"]', 2000],
    ['[fee percent="50" max_fee="30"]', 3000],
    ["5 + [fee percent='10' min_fee='4' max_fee='']", 1735],
    ['10 / 3', 333],
    // 2.75 kg
    ['4 + [weight] * 1.5', 813],
    ['[weight] / [qty]', 92],
    ['-3 + 10', 700],
    ['3 - 10', 0],
    ['- -3', 300],
  ])('%s costs %s', (text, minor) => {
    expect(cost(text)).toBe(minor)
  })

  it.each([
    ['', 'unexpected "" at 0'],
    ['10 +', 'unexpected "" at 4'],
    ['(10', 'unexpected "" at 3'],
    ['10)', 'unexpected ")" at 2'],
    ['10 20', 'unexpected "20" at 3'],
    ['process.exit()', 'unexpected "process.exit()" at 0'],
    ['2 ** 3', 'unexpected "* 3" at 3'],
    ['1e9', 'unexpected "e9" at 1'],
    ['[height]', 'unexpected "[height]" at 0'],
    ['[fee percent="x"]', 'unexpected "percent="x"]" at 5'],
    ['[fee percent=10]', 'unexpected "percent=10]" at 5'],
    ['1 / 0', 'divided-by-zero'],
    ['99999999999 * 99999999999', 'too-large'],
    ['1 / ([qty] - 3)', 'divided-by-zero'],
  ])('refuses %s', (text, answer) => {
    expect(cost(text)).toBe(answer)
  })

  it('survives any text, however deep or long', () => {
    expect(parseCostFormula('('.repeat(499)).ok).toBe(false)
    expect(parseCostFormula('1'.repeat(501)).ok).toBe(false)
    fc.assert(fc.property(fc.string({ maxLength: 40 }), (text) => void parseCostFormula(text)))
    const symbols = fc.array(fc.constantFrom('1', '2.5', '+', '-', '*', '/', '(', ')', '[qty]', '[cost]', ' '), {
      maxLength: 20,
    })
    fc.assert(fc.property(symbols, (parts) => void cost(parts.join(''))))
  })

  it('M8 every text is a cost or a fault with words, in currencies of 0, 2 and 3 decimals', () => {
    const words = [
      '1',
      '0',
      ',5',
      '9'.repeat(30),
      '+',
      '-',
      '*',
      '/',
      '(',
      ')',
      '[qty]',
      '[cost]',
      '[weight]',
      '[qty',
      ' ',
    ]
    const fees = ['[fee', ' percent="10"', ' min_fee="x"', ' max_fee=""', ']', '\u0000', '💥', 'constructor']
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.constantFrom(...words, ...fees), { maxLength: 25 }).map((parts) => parts.join('')),
      fc.constantFrom('(', '[qty]+', '1/0', '-').map((part) => part.repeat(3_000)),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom('USD', 'JPY', 'KWD'), fc.nat(50), (text, currency, quantity) => {
        const fault = formulaFault(text, currency)
        const parsed = parseCostFormula(text)
        if (!parsed.ok) {
          expect(text.trim() === '' ? '' : fault).toEqual(expect.any(String))
          return
        }
        const result = formulaCost(parsed.formula, { quantity, cost: money(quantity * 999, currency), weightGrams: 1 })
        if (result.ok) expect(result.cost.minor).toBeGreaterThanOrEqual(0)
        else expect(['divided-by-zero', 'too-large']).toContain(result.reason)
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['', null],
    ['4.95', null],
    ['1 / ([qty] - 1)', null],
    ['1/0', 'divides by zero'],
    ['10 +', 'ends too early'],
    ['[qty', 'cannot be read from "[qty" on (character 1)'],
    ['5 + five', 'cannot be read from "five" on (character 5)'],
    ['1'.repeat(10_000), 'longer than 500 characters'],
    ['9'.repeat(400), 'comes to more than can be charged'],
  ])('names what is wrong with %.12s', (text, fault) => {
    expect(formulaFault(text, 'USD')).toBe(fault)
  })
})

describe('shippingRates', () => {
  const item = (total: number, facts: Partial<PackageItem> = {}): PackageItem => ({
    key: 'k',
    quantity: 1,
    shippingClass: '',
    weightGrams: null,
    total: dollars(total),
    ...facts,
  })
  const cart = { subtotal: dollars(5000), discount: dollars(1000), freeShippingCoupon: false }
  const flat = (facts: Partial<Extract<ShippingMethod, { method: 'flat_rate' }>>): ShippingMethod => ({
    method: 'flat_rate',
    instanceId: 4,
    title: 'Flat rate',
    taxable: true,
    cost: '',
    classCosts: {},
    classMode: 'class',
    ...facts,
  })
  const free = (facts: Partial<Extract<ShippingMethod, { method: 'free_shipping' }>>): ShippingMethod => ({
    method: 'free_shipping',
    instanceId: 5,
    title: 'Free',
    requires: '',
    minimum: null,
    ignoreDiscounts: false,
    ...facts,
  })
  const rates = (methods: ShippingMethod[], items = [item(5000)], facts = cart, hideOthersWhenFree = false) =>
    shippingRates(methods, items, facts, { hideOthersWhenFree }).map(({ id, cost }) => [id, cost.minor])

  it('a flat rate without any cost is no rate, and zero is a free one', () => {
    expect(rates([flat({}), flat({ cost: '0', instanceId: 2 })])).toEqual([['flat_rate:2', 0]])
    expect(rates([flat({ cost: '1 +' })])).toEqual([])
  })

  it('class costs are charged each, or only the dearest', () => {
    const items = [
      item(1000, { shippingClass: 'bulky', quantity: 2 }),
      item(500, { shippingClass: 'fragile' }),
      item(300),
    ]
    const classCosts = { bulky: '3 * [qty]', fragile: '5', '': '1' }
    expect(rates([flat({ cost: '2', classCosts })], items)).toEqual([['flat_rate:4', 1400]])
    expect(rates([flat({ cost: '2', classCosts, classMode: 'order' })], items)).toEqual([['flat_rate:4', 800]])
    expect(rates([flat({ classCosts: { fragile: '5' } })], items)).toEqual([['flat_rate:4', 500]])
    expect(rates([flat({ classCosts })], [item(1, { shippingClass: 'constructor' })])).toEqual([])
  })

  it('free shipping asks for a coupon, an amount, either or both', () => {
    const minimum = dollars(4500)
    const withCoupon = { ...cart, freeShippingCoupon: true }
    const offered = (facts: Parameters<typeof free>[0], cartFacts = cart) =>
      rates([free({ minimum, ...facts })], [item(1)], cartFacts).length === 1
    expect(offered({ requires: '' })).toBe(true)
    expect([offered({ requires: 'coupon' }), offered({ requires: 'coupon' }, withCoupon)]).toEqual([false, true])
    expect([offered({ requires: 'min_amount' }), offered({ requires: 'min_amount', ignoreDiscounts: true })]).toEqual([
      false,
      true,
    ])
    expect(offered({ requires: 'min_amount', minimum: dollars(4000) })).toBe(true)
    expect([offered({ requires: 'either' }), offered({ requires: 'either' }, withCoupon)]).toEqual([false, true])
    expect([
      offered({ requires: 'both' }, withCoupon),
      offered({ requires: 'both', ignoreDiscounts: true }, withCoupon),
    ]).toEqual([false, true])
  })

  it('can hide the other rates when shipping is free', () => {
    const pickup: ShippingMethod = { method: 'local_pickup', instanceId: 6, title: 'Pickup', taxable: false, cost: '' }
    expect(rates([flat({ cost: '5' }), free({}), pickup]).map(([id]) => id)).toEqual([
      'flat_rate:4',
      'free_shipping:5',
      'local_pickup:6',
    ])
    expect(rates([flat({ cost: '5' }), free({}), pickup], [item(1)], cart, true)).toEqual([['free_shipping:5', 0]])
  })

  it('only goods that are not virtual travel', () => {
    expect(packageOf([{ ...item(1), virtual: true }])).toBeNull()
    expect(
      packageOf([
        { ...item(1), virtual: true },
        { ...item(2), virtual: false },
      ]),
    ).toHaveLength(1)
  })

  it('SHIP-02 splits prefix:value at the first colon', () => {
    expect(splitOption('0:flat_rate:1')).toEqual({ key: '0', value: 'flat_rate:1' })
    expect([splitOption('flat'), splitOption(':1'), splitOption('a:')]).toEqual([null, null, null])
  })
})

describe('chosenRate', () => {
  const ids = ['flat_rate:1', 'free_shipping:2', 'local_pickup:3']

  it('keeps the visitor’s choice while the offer is the same', () => {
    expect(chosenRate(ids, { chosen: 'free_shipping:2', offered: ids }, false)).toBe('free_shipping:2')
    expect(chosenRate(ids, { chosen: 'flat_rate:9', offered: ids }, false)).toBe('flat_rate:1')
    expect(chosenRate([], { chosen: 'flat_rate:1', offered: ids }, false)).toBeNull()
  })

  it('a changed offer falls back to the first rate, but a collection stays a collection', () => {
    expect(chosenRate(ids, { chosen: 'free_shipping:2', offered: ['free_shipping:2'] }, false)).toBe('flat_rate:1')
    expect(chosenRate(ids, { chosen: 'local_pickup:3', offered: ['local_pickup:3'] }, true)).toBe('local_pickup:3')
  })

  it('a free-shipping coupon makes the free rate the default', () => {
    expect(chosenRate(ids, null, true)).toBe('free_shipping:2')
    expect(chosenRate(['flat_rate:1'], null, true)).toBe('flat_rate:1')
  })
})
