import { describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import { addressLines, placeText } from './address-lines.ts'
import { countryChoices, countryName, offeredCountries, sellsTo, shipsTo, startPlace } from './allowed-countries.ts'

const settings = (given: object = {}) => shopSettings.parse(given)

describe('where the shop sells and ships to', () => {
  it('is everywhere unless the merchant says otherwise', () => {
    const open = settings()
    expect([sellsTo(open, 'DE'), shipsTo(open, 'DE'), sellsTo(open, 'XX'), shipsTo(open, '')]).toEqual([
      ...[true, true, false, false],
    ])
    expect(offeredCountries(open)).toHaveLength(249)
  })

  it('are the named countries, or all but those named', () => {
    const few = settings({ sellTo: ['US', 'de'] })
    expect([sellsTo(few, 'US'), sellsTo(few, 'DE'), sellsTo(few, 'FR')]).toEqual([true, true, false])
    const most = settings({ sellTo: { except: ['FR', 'CH'] } })
    expect([sellsTo(most, 'US'), sellsTo(most, 'FR')]).toEqual([true, false])
    expect(offeredCountries(most)).toHaveLength(247)
  })

  it('may differ: what is shipped to follows what is sold to until it is set', () => {
    expect(shipsTo(settings({ sellTo: ['US'] }), 'DE')).toBe(false)
    const both = settings({ sellTo: ['US', 'DE'], shipTo: ['DE', 'FR'] })
    expect(['US', 'DE', 'FR'].map((country) => [sellsTo(both, country), shipsTo(both, country)])).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ])
    expect([offeredCountries(both), offeredCountries(both, 'shipping')]).toEqual([
      ['DE', 'FR', 'US'],
      ['DE', 'FR'],
    ])
    expect(shipsTo(settings({ sellTo: ['US'], shipTo: [] }), 'DE')).toBe(true)
  })

  it.each([[['XX']], [['USA']], ['US'], [{ except: [] }], [{ except: ['US'], only: ['DE'] }], [null]])(
    'refuses the setting %j',
    (sellTo) => {
      expect(shopSettings.safeParse({ sellTo }).success).toBe(false)
    },
  )
})

describe('countryChoices', () => {
  it('lists names in the language of the shop, accents aside', () => {
    const english = countryChoices(settings(), 'billing').map(({ label }) => label)
    expect(english).toHaveLength(249)
    expect(english.slice(0, 3)).toEqual(['Afghanistan', 'Åland Islands', 'Albania'])
    expect(english.indexOf('Côte d’Ivoire')).toBe(english.indexOf('Costa Rica') + 1)
    const german = countryChoices(settings({ language: 'de-DE', sellTo: ['AT', 'EG', 'OM'] }), 'billing')
    expect(german.map(({ label }) => label)).toEqual(['Ägypten', 'Oman', 'Österreich'])
  })

  it('follows the setting of its kind', () => {
    const both = settings({ sellTo: ['US', 'DE'], shipTo: ['FR'] })
    expect(countryChoices(both, 'billing').map(({ value }) => value)).toEqual(['DE', 'US'])
    expect(countryChoices(both, 'shipping')).toEqual([{ value: 'FR', label: 'France' }])
  })

  it('names no country for what is no code', () => {
    expect(['DE', 'XQ', 'de', '', 'toString'].map((code) => countryName('en', code))).toEqual([
      ...['Germany', 'XQ', 'de', '', 'toString'],
    ])
  })
})

describe('startPlace', () => {
  it('is the shop’s own state', () => {
    expect(startPlace(settings(), 'billing')).toEqual({ country: 'US', state: 'CA' })
    expect(startPlace(settings({ defaultLocation: 'none' }), 'billing')).toBeNull()
  })

  it('is dropped when the shop does not sell at home, and its state when there is none of that name', () => {
    expect(startPlace(settings({ sellTo: ['DE', 'FR'] }), 'billing')).toBeNull()
    expect(startPlace(settings({ shipTo: ['DE', 'FR'] }), 'shipping')).toBeNull()
    expect(startPlace(settings({ base: { country: 'DE', state: 'CA' } }), 'billing')).toEqual({
      ...{ country: 'DE', state: '' },
    })
  })

  it('is the only country there is, whatever the merchant presets', () => {
    expect(startPlace(settings({ sellTo: ['DE'], defaultLocation: 'none' }), 'billing')).toEqual({
      ...{ country: 'DE', state: '' },
    })
    expect(startPlace(settings({ sellTo: ['US'], defaultLocation: 'none' }), 'billing')).toEqual({
      ...{ country: 'US', state: 'CA' },
    })
  })
})

describe('addressLines', () => {
  const ann = { first_name: 'Ann', last_name: 'Bee', address_1: 'C 1', city: 'Bonn', postcode: '53111', country: 'DE' }
  it('names the country in the shop’s language, and not at home', () => {
    expect(addressLines(settings({ language: 'de-DE' }), ann).at(-1)).toBe('Deutschland')
    expect(addressLines(settings({ base: { country: 'DE' } }), ann)).toEqual(['Ann Bee', 'C 1', '53111 Bonn'])
    expect(placeText(settings({ base: { country: 'DE' } }), { city: 'Bonn', country: 'DE' })).toBe('Bonn, Germany')
  })
})
