import { describe, expect, it } from 'vitest'
import { countryCodes } from './countries.ts'
import { addressFormat, formatAddress, type WrittenAddress } from './format-address.ts'

const names: Readonly<Record<string, string>> = { DE: 'Germany', HU: 'Hungary', JP: 'Japan', US: 'United States' }
const lines = (address: WrittenAddress, base = 'XX', forceCountry = false) =>
  formatAddress(address, { base, countryName: (code) => names[code] ?? code, forceCountry })

const ann = { first_name: 'Ann', last_name: 'Bee', address_1: '1 Main St', address_2: 'Flat 2' }
const place = (country: string, city: string, state: string, postcode: string) => ({
  ...ann,
  company: 'Bee & Co',
  country,
  city,
  state,
  postcode,
})

/** The country-specific lines, in addresses whose name, company and street come first. */
const tails: readonly [country: string, city: string, state: string, postcode: string, lines: readonly string[]][] = [
  ['US', 'Boston', 'MA', '02111', ['Boston, MA 02111']],
  ['CA', 'Ottawa', 'ON', 'K1A 0B1', ['Ottawa ON K1A 0B1']],
  ['GB', 'Leeds', 'West Yorkshire', 'LS1 1AA', ['Leeds', 'West Yorkshire', 'LS1 1AA']],
  ['IE', 'Tralee', 'KY', 'V92 X285', ['Tralee', 'Kerry', 'V92 X285']],
  ['DE', 'München', 'DE-BY', '80331', ['80331 München']],
  ['IT', 'Fiumicino', 'RM', '00054', ['00054 Fiumicino RM']],
  ['ES', 'Sitges', 'B', '08870', ['08870 Sitges Barcelona']],
  ['IN', 'Pune', 'MH', '411001', ['Pune 411001', 'Maharashtra']],
  ['MX', 'Tijuana', 'BC', '22000', ['22000 Tijuana, Baja California']],
  ['TR', 'Kadıköy', 'TR34', '34710', ['34710 Kadıköy/Istanbul']],
  ['HK', 'Central', 'HONG KONG', '', ['Central', 'Hong Kong Island']],
  ['AE', 'Dubai', 'Dubai Emirate', '', ['Dubai', 'Dubai Emirate']],
  ['SG', 'Singapore', '', '018956', ['Singapore 018956']],
  ['ZA', 'Cape Town', 'WC', '8001', ['Cape Town', 'Western Cape', '8001']],
  ['KE', 'Thika', 'KE22', '01000', ['Thika', 'Machakos', '01000']],
]

describe('formatAddress', () => {
  it.each(tails)('%s: %s, %s, %s', (country, city, state, postcode, tail) => {
    expect(lines(place(country, city, state, postcode))).toEqual([
      ...['Ann Bee', 'Bee & Co', '1 Main St', 'Flat 2'],
      ...tail,
      names[country] ?? country,
    ])
  })

  it('where firms come first, they do, and French towns are in capitals', () => {
    expect(lines(place('FR', 'Orléans', '', '45000'))).toEqual([
      ...['Bee & Co', 'Ann Bee', '1 Main St', 'Flat 2', '45000 ORLÉANS', 'FR'],
    ])
    expect(lines(place('AU', 'Perth', 'WA', '6000'))[4]).toBe('Perth WA 6000')
    expect(lines(place('BR', 'Santos', 'SP', '11010-000')).slice(4, 6)).toEqual(['Santos-SP', '11010-000'])
    expect(lines(place('AT', 'Graz', '', '8010')).slice(0, 5)).toEqual([
      ...['Bee & Co', 'Ann Bee', '1 Main St', 'Flat 2', '8010 Graz'],
    ])
  })

  it('Japan goes from the large to the small, family name first', () => {
    expect(
      lines({
        ...{ first_name: 'Taro', last_name: 'Yamada', company: 'Denki KK', country: 'JP', state: 'JP13' },
        ...{ city: 'Chiyoda-ku', address_1: 'Marunouchi 1-1', address_2: '', postcode: '100-0005' },
      }),
    ).toEqual(['〒100-0005', 'Tokyo Chiyoda-ku', 'Marunouchi 1-1', 'Denki KK', 'Yamada Taro', 'Japan'])
    expect(lines({ country: 'JP', city: 'Chiyoda-ku', state: '', postcode: '' })).toEqual(['Chiyoda-ku', 'Japan'])
  })

  it('Hungary has the family name first, and the town above the street', () => {
    expect(
      lines({
        ...{ first_name: 'Ágnes', last_name: 'Kovács', country: 'HU', state: 'BU' },
        ...{ city: 'Budapest', address_1: 'Váci utca 1', postcode: '1052' },
      }),
    ).toEqual(['Kovács Ágnes', 'Budapest', 'Váci utca 1', '1052', 'Hungary'])
  })

  it('at home the country is left out, unless it is wanted', () => {
    const boston = place('US', 'Boston', 'MA', '02111')
    expect(lines(boston, 'US').at(-1)).toBe('Boston, MA 02111')
    expect(lines(boston, 'US', true).at(-1)).toBe('United States')
    expect(lines(boston, 'DE').at(-1)).toBe('United States')
  })

  it('what is missing leaves neither a line nor a comma', () => {
    expect(lines({ country: 'US', city: 'Boston', postcode: '02111' })).toEqual(['Boston 02111', 'United States'])
    expect(lines({ country: 'US', city: 'Boston', state: 'MA' })).toEqual(['Boston, MA', 'United States'])
    expect(lines({ country: 'US', state: 'MA', postcode: '02111' })).toEqual(['MA 02111', 'United States'])
    expect(lines({ country: 'TR', city: 'Kadıköy' }, 'TR')).toEqual(['Kadıköy'])
    expect(lines({ country: 'DE' })).toEqual(['Germany'])
    expect(lines({})).toEqual([])
    expect(lines({ first_name: ' ', city: '\t', country: '' })).toEqual([])
  })

  it('a place that is no country and no state is written as it was typed', () => {
    expect(lines({ country: 'ZZ', city: 'Nowhere', state: 'Far' })).toEqual(['Nowhere', 'Far', 'ZZ'])
    expect(lines({ country: 'constructor', city: 'Here' }, 'constructor')).toEqual(['Here'])
  })

  it('every country has a place for name, firm, street, town and postcode, once each', () => {
    const wrong = countryCodes.filter((country) => {
      const format = addressFormat(country)
      const found = [...format.matchAll(/\{(\w+?)(?:_upper|_code)?\}/g)].map(([, part]) => part)
      const needed = ['company', 'address_1', 'address_2', 'city', 'postcode']
      const named = found.includes('name') !== (found.includes('first_name') && found.includes('last_name'))
      return !named || needed.some((part) => !found.includes(part)) || new Set(found).size !== found.length
    })
    expect(wrong).toEqual([])
  })
})
