import { describe, expect, it } from 'vitest'
import { type AddressKey, defaultWishes, fieldsFor } from './address-fields.ts'
import { addressLocale } from './address-locale.ts'
import { countryCodes } from './countries.ts'
import { countriesWithRules, rulesFor } from './country-rules.ts'

const locale = addressLocale(countryCodes, 'US', defaultWishes, (text) => text)
const field = (country: string, key: AddressKey) => ({ ...locale.default?.[key], ...locale[country]?.[key] })

/** Returns the countries, space-separated, for which a field has a property of a value; all others differ. */
function countriesWhere(key: AddressKey, holds: (rule: ReturnType<typeof field>) => boolean): string {
  return countryCodes.filter((country) => holds(field(country, key))).join(' ')
}

describe('the rules of all countries', () => {
  it('ADDR-01 ninety-nine countries change something', () => {
    expect(countriesWithRules).toHaveLength(99)
  })

  it('ADDR-02 the state is hidden where addresses have none', () => {
    expect(countriesWhere('state', ({ hidden }) => hidden === true)).toBe(
      'AF AT AX BA BE BH BI BW CY CZ DK EE ET FI FR GF GP IL IM IS KR KW LB LI LK LU MF MQ MT NL NO PL PR PT RE RW SE SG SI SK VN YT',
    )
  })

  it('ADDR-01 the state is optional where one may leave it out', () => {
    expect(countriesWhere('state', ({ hidden, required }) => hidden !== true && required === false)).toBe(
      'AE BG BZ CH CW DE GB GG GR HU LV NZ RS',
    )
  })

  it('ADDR-01 the postcode is hidden, optional or before the town where that is so', () => {
    expect(countriesWhere('postcode', ({ hidden }) => hidden === true)).toBe(
      'AE AO BO BS BW BZ CW MZ NG SR ST UG WS ZW',
    )
    expect(countriesWhere('postcode', ({ hidden, required }) => hidden !== true && required === false)).toBe(
      'BD BH CL CO GH GT HK JM KN NP VN',
    )
    expect(countriesWhere('postcode', ({ priority }) => priority === 65)).toBe(
      'AT AX BA BE CH DE DK EE ES FI FR HU IL IS IT JP LI NL NO PL SE SI SK TR VN',
    )
  })

  it('ADDR-01 the town is optional in Singapore alone', () => {
    expect(countriesWhere('city', ({ required }) => required === false)).toBe('SG')
  })

  it.each([
    ['Canton', 'BA CH'],
    ['County', 'AL GB HU IE RO'],
    ['Department', 'BO CO GT HN NI PY SV UY'],
    ['District', 'BD BW RS ST UG'],
    ['Municipality', 'LV'],
    ['Municipality / District', 'MD'],
    ['Parish', 'GG JM KN'],
    ['Prefecture', 'JP'],
    ['Province', 'AO CA CN CR DO EC ES ID IT MZ PA TR ZA'],
    ['Region', 'CL GH HK NZ'],
    ['State', 'AU IN NG US'],
    ['State / Zone', 'NP'],
  ])('ADDR-01 the state is called %s in %s', (label, countries) => {
    expect(countriesWhere('state', (rule) => rule.label === label)).toBe(countries)
  })

  it.each([
    ['postcode', 'ZIP Code', 'US'],
    ['postcode', 'Postcode', 'AU GB NG NZ'],
    ['postcode', 'Postal code', 'CA KN'],
    ['postcode', 'Postal Code', 'JM'],
    ['postcode', 'Eircode', 'IE'],
    ['postcode', 'PIN Code', 'IN'],
    ['city', 'Suburb', 'AU'],
    ['city', 'Municipality', 'PR'],
    ['city', 'Town / District', 'HK'],
    ['city', 'Town / Village', 'UG'],
    ['city', 'Town / City / Post Office', 'JM'],
  ] as const)('ADDR-01 the %s is called %s in %s', (key, label, countries) => {
    expect(countriesWhere(key, (rule) => rule.label === label)).toBe(countries)
  })

  it('ADDR-06 Hungary, Japan and Iran have an order of their own', () => {
    const priorities = (country: string, keys: readonly AddressKey[]) => keys.map((key) => field(country, key).priority)
    const keys = ['last_name', 'first_name', 'address_1', 'address_2', 'postcode', 'state', 'city'] as const
    expect(priorities('HU', keys)).toEqual([10, 20, 71, 72, 65, 80, 70])
    expect(priorities('JP', keys)).toEqual([10, 20, 68, 69, 65, 66, 67])
    expect(priorities('IR', keys)).toEqual([20, 10, 70, 80, 90, 50, 60])
    expect(['last_name', 'first_name'].map((key) => field('HU', key as AddressKey).class)).toEqual([
      ['form-row-first'],
      ['form-row-last'],
    ])
    expect([field('HU', 'postcode').class, field('HU', 'city').class, field('JP', 'state').class]).toEqual([
      ['form-row-first', 'address-field'],
      ['form-row-last', 'address-field'],
      ['form-row-last', 'address-field'],
    ])
  })
})

describe('addressLocale', () => {
  it('a country names only what it changes, and what the server renders is the default with that', () => {
    expect(locale.GB).toEqual({
      state: { label: 'County', missing: 'Enter your county', required: false },
      postcode: { label: 'Postcode', missing: 'Enter your postcode' },
    })
    expect(locale.KE).toBeUndefined()
    for (const country of countryCodes)
      for (const { key, label, required, hidden, priority, class: classes } of fieldsFor('billing', country, 'US'))
        expect({ country, key, ...field(country, key) }).toMatchObject({
          ...{ country, key, label, required, hidden, priority, class: classes },
        })
  })

  it('has the countries on offer and the shop’s own, which has an entry also without rules', () => {
    const small = addressLocale(['DE', 'KE'], 'MX', defaultWishes, (text) => text)
    expect(Object.keys(small)).toEqual(['default', 'DE', 'MX'])
    expect(small.MX).toEqual(small.default)
    expect(Object.keys(addressLocale(['KE'], 'IE', defaultWishes, (text) => text))).toEqual(['default', 'IE'])
  })

  it('speaks the language of the page and leaves out what the merchant hides', () => {
    const wishes = { company: 'hidden', address_2: 'required', phone: 'optional' } as const
    const shouted = addressLocale(['US'], 'US', wishes, (text) => text.toUpperCase())
    expect(shouted.US?.postcode).toMatchObject({ label: 'ZIP CODE', missing: 'ENTER YOUR ZIP CODE' })
    expect(shouted.default).toMatchObject({
      address_1: { label: 'STREET ADDRESS', placeholder: 'HOUSE NUMBER AND STREET NAME' },
      address_2: { required: true },
      phone: { required: false },
    })
    expect(shouted.default).not.toHaveProperty('company')
  })

  it('the country is asked for everywhere', () => {
    expect(countryCodes.filter((country) => rulesFor(country, country).country)).toEqual([])
    expect(locale.default?.country).toMatchObject({ required: true, hidden: false })
  })
})
