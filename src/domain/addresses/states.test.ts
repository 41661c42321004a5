import { describe, expect, it } from 'vitest'
import { isCountry } from './countries.ts'
import { stateLists } from './data/state-lists.ts'
import { stateNames } from './data/state-names.ts'
import { stateCode, stateMeant, stateName, statesByCountry, statesOf } from './states.ts'

const withStates = Object.keys(stateLists)

/** The number of states of each list, counted by hand for well-known ones. */
const counts = {
  ...{
    AR: 24,
    AU: 8,
    BJ: 12,
    BR: 27,
    CA: 13,
    CH: 26,
    GH: 17,
    LA: 18,
    NA: 14,
    NG: 37,
    PE: 26,
    PK: 8,
    RO: 42,
    UM: 9,
    ZA: 9,
  },
  ...{ ES: 52, GR: 13, HU: 20, ID: 34, IE: 26, IT: 107, NZ: 16, US: 54 },
  ...{ BD: 64, DE: 16, DO: 32, PA: 13, PY: 18, TH: 77, JP: 47, KE: 47, TR: 81, TZ: 30, UG: 128 },
  ...{ CN: 32, GT: 22, HK: 3, IR: 31, LR: 15, MD: 35, MX: 32, MY: 16, NP: 14 },
}

describe('states', () => {
  it('ADDR-02 ADDR-03 ADDR-04 a country has a list, none, or is not known', () => {
    expect(statesOf('US')?.size).toBe(54)
    expect(statesOf('FR')?.size).toBe(0)
    expect(statesOf('GB')).toBeNull()
    expect(statesOf('XX')).toBeNull()
    expect(statesOf('constructor')).toBeNull()
  })

  it('ADDR-03 sixty-nine countries have a list, and thirty-nine have no states', () => {
    const all = statesByCountry()
    const empty = Object.keys(all).filter((country) => Object.keys(all[country] ?? {}).length === 0)
    expect([withStates.length, empty.length, Object.keys(all).length]).toEqual([69, 39, 108])
    expect(Object.keys(all).filter((country) => !isCountry(country))).toEqual([])
    expect(statesByCountry(['FR', 'AU', 'GB'])).toEqual({ FR: {}, AU: Object.fromEntries(statesOf('AU') ?? []) })
  })

  it.each(Object.entries(counts))('ADDR-03 %s has %i states', (country, count) => {
    expect(statesOf(country)?.size).toBe(count)
  })

  it('no list names a state twice, and every code and name finds itself', () => {
    for (const country of withStates) {
      const states = [...(statesOf(country) ?? [])]
      expect([country, new Set(states.map(([, name]) => name)).size]).toEqual([country, states.length])
      for (const [code, name] of states) {
        expect([country, stateCode(country, code), stateCode(country, name)]).toEqual([country, code, code])
        expect(stateCode(country, ` ${name.toLowerCase()} `)).toBe(code)
      }
    }
  })

  it('has the names and the order that its own people know, for those who read their language', () => {
    const japanese = [...(statesOf('JP', 'ja-JP')?.values() ?? [])]
    expect([japanese.length, japanese[0], japanese[12], japanese.at(-1)]).toEqual([47, '北海道', '東京都', '沖縄県'])
    expect([...(statesOf('EG', 'ar')?.values() ?? [])]).toContain('القاهرة')
    expect([...(statesOf('CH', 'fr-CH')?.values() ?? [])].slice(0, 2)).toEqual([
      'Appenzell Rhodes-Extérieures',
      'Appenzell Rhodes-Intérieures',
    ])
    expect([stateName('CH', 'GE', 'de'), stateName('CH', 'GE', 'fr'), stateName('CH', 'GE')]).toEqual([
      'Genf',
      'Genève',
      'Geneva',
    ])
    // Two of Spain's have other names in Spanish, and keep their places; Japan has no German names here.
    expect([...(statesOf('ES', 'es-ES') ?? [])]).toHaveLength(52)
    expect([stateName('ES', 'SE', 'es-ES'), stateName('ES', 'M', 'es-ES')]).toEqual(['Sevilla', 'Madrid'])
    expect(stateName('JP', 'JP13', 'de-DE')).toBe('Tokyo')
    expect(stateName('JP', 'JP13', 'constructor')).toBe('Tokyo')
    expect(statesByCountry(['JP'], 'ja')).toEqual({ JP: Object.fromEntries(statesOf('JP', 'ja') ?? []) })
  })

  it('takes a state by the name that its own people give it', () => {
    for (const [language, countries] of Object.entries(stateNames))
      for (const country of Object.keys(countries)) {
        const own = [...(statesOf(country, language) ?? [])]
        expect([country, own.map(([code]) => code).sort()]).toEqual([
          country,
          [...(statesOf(country)?.keys() ?? [])].sort(),
        ])
        expect([country, new Set(own.map(([, name]) => name)).size]).toEqual([country, own.length])
        for (const [code, name] of own) expect([country, name, stateCode(country, name)]).toEqual([country, name, code])
      }
    expect([stateCode('JP', '東京'), stateCode('JP', '京都府'), stateCode('JP', '北海道')]).toEqual([
      'JP13',
      'JP26',
      'JP01',
    ])
    // With and without the mark above the first letter.
    expect([stateCode('EG', 'الإسكندرية'), stateCode('EG', 'الاسكندرية')]).toEqual(['EGALX', 'EGALX'])
  })

  it('F34: a form without scripts keeps nothing that was chosen from the list of the country before', () => {
    expect([stateMeant('IT', 'CA', 'US'), stateMeant('GB', 'CA', 'US'), stateMeant('FR', 'ON', 'ca')]).toEqual([
      '',
      '',
      '',
    ])
    expect([stateMeant('US', 'CA', 'US'), stateMeant('us', 'CA', 'US'), stateMeant('US', 'CA', 'us')]).toEqual(
      Array(3).fill('CA'),
    )
  })

  it('what cannot come from that list was typed or chosen for the posted country', () => {
    expect([stateMeant('CA', 'ON', 'US'), stateMeant('CA', 'Ontario', 'US')]).toEqual(['ON', 'Ontario'])
    expect([stateMeant('GB', 'Kent', 'US'), stateMeant('DE', 'Nowhere', 'US')]).toEqual(['Kent', 'Nowhere'])
    // Typed into a text field, or sent by a client without a country for it.
    expect([stateMeant('US', 'CA', 'GB'), stateMeant('IT', 'CA', ''), stateMeant('IT', 'CA', '__proto__')]).toEqual(
      Array(3).fill('CA'),
    )
  })

  it('codes are written as shops write them', () => {
    const some: Record<string, readonly string[]> = {
      AO: ['BLU', 'LUA'],
      BD: ['BD-01', 'BD-64'],
      CN: ['CN1', 'CN32'],
      EG: ['EGALX', 'EGC'],
      GT: ['GT-AV', 'GT-ZA'],
      HK: ['HONG KONG', 'KOWLOON', 'NEW TERRITORIES'],
      IN: ['CT', 'DD', 'DH', 'DN', 'OD', 'TS', 'UK'],
      IR: ['KHZ', 'SBN'],
      IT: ['AO', 'BZ', 'SU'],
      JP: ['JP01', 'JP47'],
      KN: ['KN01', 'KNK', 'KNN'],
      LR: ['BM', 'SN'],
      MA: ['maagd', 'maedi', 'mammd', 'mammn', 'masyb'],
      MD: ['C', 'BL', 'UN'],
      MX: ['DF', 'ZA'],
      MY: ['JHR', 'KUL'],
      NP: ['BAG', 'SET'],
      PH: ['00', 'DAC', 'SIQ', 'MAG'],
      PY: ['PY-17', 'PY-ASU'],
      RS: ['RS00', 'RS29'],
      TR: ['TR01', 'TR81'],
      TZ: ['TZ01', 'TZ30'],
      UG: ['UG101', 'UG432'],
      US: ['AA', 'AE', 'AP', 'DC'],
    }
    for (const [country, codes] of Object.entries(some))
      expect([country, codes.filter((code) => !statesOf(country)?.has(code))]).toEqual([country, []])
    const gone = [
      ['UG', 'UG435'],
      ['TZ', 'TZ31'],
      ['TH', 'TH-S'],
      ['NZ', 'CIT'],
      ['GR', '69'],
      ['US', 'PR'],
      ['ID', 'PD'],
    ] as const
    expect(gone.filter(([country, code]) => statesOf(country)?.has(code))).toEqual([])
  })

  it('lists with codes of their own keep their order, others are by name', () => {
    expect([...(statesOf('CN')?.keys() ?? [])].slice(0, 3)).toEqual(['CN1', 'CN2', 'CN3'])
    expect([...(statesOf('MX')?.keys() ?? [])].slice(0, 3)).toEqual(['DF', 'JA', 'NL'])
    expect([...(statesOf('DE')?.values() ?? [])].slice(0, 3)).toEqual(['Baden-Württemberg', 'Bavaria', 'Berlin'])
    expect([...(statesOf('US')?.keys() ?? [])].slice(-4)).toEqual(['WY', 'AA', 'AE', 'AP'])
  })

  it('names are those of the places that the codes mean', () => {
    expect(
      [
        ['CN', 'CN2'],
        ['DE', 'DE-BY'],
        ['GR', 'I'],
        ['IR', 'THR'],
        ['IT', 'AO'],
        ['JP', 'JP13'],
        ['MD', 'C'],
        ['MX', 'DF'],
        ['MY', 'PNG'],
        ['PY', 'PY-17'],
        ['UA', 'UA46'],
        ['US', 'CA'],
        ['GB', 'Kent'],
      ].map(([country = '', code = '']) => stateName(country, code)),
    ).toEqual([
      ...['Beijing', 'Bavaria', 'Attica', 'Tehran', 'Aosta', 'Tokyo', 'Chișinău', 'Mexico City', 'Penang', 'Boquerón'],
      ...['Lviv', 'California', 'Kent'],
    ])
  })

  it.each([
    ['US', 'ca', 'CA'],
    ['US', 'new york', 'NY'],
    ['US', 'Bavaria', null],
    ['DE', 'Bayern', 'DE-BY'],
    ['DE', 'by', 'DE-BY'],
    ['DE', 'thueringen', null],
    ['DE', 'Thuringen', 'DE-TH'],
    ['BR', 'sao paulo', 'SP'],
    ['NZ', 'hawkes bay', 'HKB'],
    ['JP', 'TOKYO-TO', 'JP13'],
    ['JP', 'AICHI-KEN', 'JP23'],
    ['IT', 'Bolzano', 'BZ'],
    ['IT', 'Roma', 'RM'],
    ['MX', 'CMX', 'DF'],
    // The shop's CL is Colima, although the standard's CL is elsewhere another place.
    ['MX', 'CL', 'CL'],
    ['HK', 'hong kong', 'HONG KONG'],
    ['MA', 'CAS', 'macas'],
    ['HR', 'medimurje', 'HR-20'],
    ['US', '', null],
    ['GB', 'Kent', 'Kent'],
    ['FR', 'Bretagne', 'Bretagne'],
  ])('in %s, "%s" means %s', (country, typed, code) => {
    expect(stateCode(country, typed)).toBe(code)
  })
})
