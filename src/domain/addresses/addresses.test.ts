import { describe, expect, it } from 'vitest'
import { fromProviderAddress, toProviderAddress, toShortProviderAddress } from '../payments/provider-address.ts'
import { checkAddress } from './address-check.ts'
import {
  type AddressKey,
  autocompleteOf,
  canShipTo,
  defaultFields,
  fieldsFor,
  isComplete,
  isFilled,
} from './address-fields.ts'
import { isEmail, isPhone } from './contact-syntax.ts'
import { continentOf, countryCodes, isCountry } from './countries.ts'
import { countriesWithRules } from './country-rules.ts'
import { asksFamilyFirst, fullName, greetedName, splitFullName } from './full-name.ts'
import { formatPostcode, isPostcode } from './postcode.ts'

const field = (country: string, key: AddressKey, base = 'US') =>
  fieldsFor('billing', country, base).find((each) => each.key === key)
const order = (country: string) => fieldsFor('shipping', country, 'US').map(({ key }) => key)

describe('address fields', () => {
  it('ADDR-01 a country changes labels, requirement, visibility, order and layout of the default fields', () => {
    expect(field('XX', 'state')).toMatchObject({ label: 'State / County', required: true, hidden: false, priority: 80 })
    expect(field('US', 'state')).toMatchObject({ label: 'State', required: true })
    expect(field('US', 'postcode')).toMatchObject({ label: 'ZIP Code', required: true })
    expect(field('CA', 'state')).toMatchObject({ label: 'Province' })
    expect(field('GB', 'state')).toMatchObject({ label: 'County', required: false, hidden: false })
    expect(field('GB', 'postcode')).toMatchObject({ label: 'Postcode' })
    expect(field('DE', 'postcode')).toMatchObject({ priority: 65 })
    expect(field('FR', 'state')).toMatchObject({ hidden: true, required: false })
    expect(field('AU', 'city')).toMatchObject({ label: 'Suburb' })
    expect(field('HK', 'postcode')).toMatchObject({ required: false, hidden: false })
    expect(field('JP', 'postcode')).toMatchObject({ class: ['form-row-first', 'address-field'], priority: 65 })
  })

  it('ADDR-06 fields come in the order of their priority', () => {
    expect(order('US')).toEqual([
      'first_name',
      'last_name',
      'company',
      'country',
      'address_1',
      'address_2',
      'city',
      'state',
      'postcode',
    ])
    expect(order('DE').slice(-3)).toEqual(['postcode', 'city', 'state'])
    expect(order('HU').slice(0, 2)).toEqual(['last_name', 'first_name'])
    expect(order('JP').slice(4)).toEqual(['postcode', 'state', 'city', 'address_1', 'address_2'])
    expect(order('IR').slice(4)).toEqual(['state', 'city', 'address_1', 'address_2', 'postcode'])
  })

  it('the merchant decides on company, second line and phone', () => {
    const wishes = { company: 'hidden', address_2: 'required', phone: 'optional' } as const
    const keys = defaultFields('billing', wishes)
    expect(keys.some(({ key }) => key === 'company')).toBe(false)
    expect(keys.find(({ key }) => key === 'address_2')).toMatchObject({
      required: true,
      placeholder: 'Flat, suite, unit, etc.',
    })
    expect(keys.find(({ key }) => key === 'phone')).toMatchObject({ required: false })
    expect(defaultFields('billing').find(({ key }) => key === 'address_2')?.placeholder).toBe(
      'Flat, suite, unit, etc. (optional)',
    )
  })

  it('a Chilean shop hides the postcode that a foreign one only makes optional', () => {
    expect([field('CL', 'postcode', 'CL')?.hidden, field('CL', 'postcode', 'US')?.hidden]).toEqual([true, false])
  })

  it('every rule belongs to a country, and the country field is never touched', () => {
    expect(countriesWithRules.filter((code) => !isCountry(code))).toEqual([])
    expect(countriesWithRules.every((code) => field(code, 'country')?.required)).toBe(true)
  })

  it('names fields for browsers that fill forms', () => {
    const city = field('US', 'city')
    expect(city && autocompleteOf('billing', city)).toBe('section-billing billing address-level2')
  })
})

describe('completeness', () => {
  const berlin = {
    first_name: 'A',
    last_name: 'B',
    country: 'DE',
    address_1: 'C 1',
    city: 'Berlin',
    postcode: '10115',
    phone: '1',
    email: 'a@b.test',
  }

  it('ADDR-07 an address has a country and everything required there, but for named exceptions', () => {
    expect(isComplete('billing', berlin, 'US')).toBe(true)
    expect(isComplete('billing', { ...berlin, country: '' }, 'US')).toBe(false)
    expect(isComplete('billing', { ...berlin, city: '  ' }, 'US')).toBe(false)
    expect(isComplete('billing', { ...berlin, country: 'US' }, 'US')).toBe(false)
    expect(isComplete('billing', { ...berlin, country: 'US', state: 'CA' }, 'US')).toBe(true)
    expect(isComplete('billing', { ...berlin, country: 'XX' }, 'US')).toBe(false)
    const { phone: _phone, email: _email, ...anonymous } = berlin
    expect(isComplete('billing', anonymous, 'US')).toBe(false)
    expect(isComplete('billing', anonymous, 'US', { except: ['phone', 'email'] })).toBe(true)
    expect(isComplete('shipping', anonymous, 'US')).toBe(true)
  })

  it('ADDR-11 a value counts when something other than blanks is there', () => {
    expect([isFilled('a'), isFilled(' 0 '), isFilled(' \t'), isFilled(''), isFilled(undefined)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('shipping needs the country, and state and postcode only where they are required', () => {
    expect(canShipTo({ country: '', state: '', postcode: '' }, 'US')).toBe(false)
    expect(canShipTo({ country: 'US', state: 'CA', postcode: '' }, 'US')).toBe(false)
    expect(canShipTo({ country: 'US', state: 'CA', postcode: '90012' }, 'US')).toBe(true)
    expect(canShipTo({ country: 'HK', state: 'KOWLOON', postcode: '' }, 'US')).toBe(true)
    expect(canShipTo({ country: 'AE', state: '', postcode: '' }, 'US')).toBe(true)
  })
})

describe('countries', () => {
  it('are the 249 of the standard, each with a name and one continent', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    expect(countryCodes).toHaveLength(249)
    expect(countryCodes.filter((code) => !names.of(code))).toEqual([])
    expect([continentOf('US'), continentOf('DE'), continentOf('JP'), continentOf('XX')]).toEqual([
      'NA',
      'EU',
      'AS',
      null,
    ])
  })
})

describe('postcodes', () => {
  it.each([
    ['11455', 'SE', '114 55'],
    ['cz11000', 'CZ', 'CZ-110 00'],
    ['11000', 'CZ', '110 00'],
    ['k1a0b1', 'CA', 'K1A 0B1'],
    ['sw1a1aa', 'GB', 'SW1A 1AA'],
    ['d02x285', 'IE', 'D02 X285'],
    ['1012ab', 'NL', '1012 AB'],
    ['01001000', 'BR', '01001-000'],
    ['00950', 'PL', '00-950'],
    ['1000001', 'JP', '100-0001'],
    ['１００－０００１', 'JP', '100-0001'],
    ['〒１００ー０００１', 'JP', '100-0001'],
    ['\u200e١١٥١١', 'EG', '11511'],
    ['۱۱۳۶۵-۴۳۵۳', 'IR', '113654353'],
    ['1000205', 'PT', '1000-205'],
    ['021119999', 'US', '02111-9999'],
    ['02111', 'US', '02111'],
    ['1010', 'LV', 'LV-1010'],
    ['LV-1010', 'LV', 'LV-1010'],
    ['dk 1050', 'DK', 'DK-1050'],
    [' 10115 ', 'DE', '10115'],
    ['12', 'GB', '12'],
    ['', 'US', ''],
  ])('"%s" in %s is written %s', (typed, country, formatted) => {
    expect(formatPostcode(typed, country)).toBe(formatted)
  })

  it.each([
    ['AT', '1010', '101'],
    ['BA', '71000', '11000'],
    ['BE', '1000', '10000'],
    ['BR', '01001-000', '01001-00'],
    ['CA', 'K1A 0B1', 'W1A 0B1'],
    ['CA', 'H0H 0H0', 'K1D 0B1'],
    ['CH', '8001', '800'],
    ['CZ', 'CZ-110 00', '1100 0'],
    ['DE', '10115', '00115'],
    ['DK', 'DK-1050', '3900'],
    ['EE', '10111', '1011'],
    ['ES', '28001', '2800A'],
    ['FI', '00100', '001000'],
    ['FR', '75001', '7500'],
    ['GB', 'SW1A 1AA', 'QW1A 1AA'],
    ['GB', 'M1 1AE', 'M1 1CE'],
    ['GB', 'GIR 0AA', 'GIR 0AB'],
    ['GB', 'BFPO 801', 'BFPO 80111'],
    ['GB', 'EC1A 1BB', 'SW1C 1AA'],
    ['HU', '1051', '105'],
    ['IE', 'D02 X285', 'B02 X285'],
    ['IE', 'D6W XY00', 'D6 XY00'],
    ['IN', '110001', '010001'],
    ['IT', '00118', '0011'],
    ['JP', '100-0001', '10-00001'],
    ['LI', '9490', '9479'],
    ['NL', '1012 AB', '1012 SS'],
    ['NO', '0150', '150'],
    ['PL', '00-950', '00950'],
    ['PR', '00901', '0090'],
    ['PT', '1000-205', '1000205'],
    ['SE', '114 55', '11 455'],
    ['SI', '1000', '0100'],
    ['SK', '811 01', '81101 1'],
    ['US', '02111-9999', '0211'],
  ])('in %s, %s is a postcode and %s is none', (country, good, bad) => {
    expect([isPostcode(good, country), isPostcode(bad, country)]).toEqual([true, false])
  })

  it('a country without a known shape takes letters and digits, not signs', () => {
    expect([isPostcode('AB-12 3', 'KE'), isPostcode('AB<12', 'KE'), isPostcode('x', 'constructor')]).toEqual([
      true,
      false,
      true,
    ])
  })
})

describe('contact syntax', () => {
  it('takes phone numbers in the usual writings', () => {
    expect(['+1 (415) 555-0100', '0800/123.456 #7', '\u202a+49\u202c 30', ''].every(isPhone)).toBe(true)
    expect(['call me', '+1 415x2', '٣'].some(isPhone)).toBe(false)
  })

  it('takes plain, quoted and foreign addresses', () => {
    expect(
      ['a@b.co', "o'neil+x@mail.example.com", '"a b"@c.test', 'jörg@exämple.de'].filter((email) => !isEmail(email)),
    ).toEqual([])
    expect(
      [
        '',
        'a',
        'a@b',
        '@b.co',
        'a@-b.co',
        'a@b.c-',
        'a..b@c.de',
        '.a@b.co',
        'a b@c.de',
        'a@b..co',
        'a@b.co.',
        `${'a'.repeat(300)}@b.co`,
      ].filter(isEmail),
    ).toEqual([])
    expect(isEmail(`${'a.'.repeat(120)}!@b`)).toBe(false)
  })

  it.each([
    ['64 octets before the @', `${'a'.repeat(64)}@b.co`, `${'a'.repeat(65)}@b.co`],
    ['64 octets, not letters', `${'é'.repeat(32)}@b.co`, `${'é'.repeat(33)}@b.co`],
    ['63 octets of a label', `a@${'b'.repeat(63)}.co`, `a@${'b'.repeat(64)}.co`],
    ['63 octets of a label as it is looked up', `a@${'ü'.repeat(40)}.co`, `a@${'b-ü'.repeat(20)}.co`],
    ['254 octets in all', `a@${'b.'.repeat(125)}co`, `a@${'b.'.repeat(126)}co`],
  ])('takes %s, as RFC 5321 does, and no more', (_, most, tooMany) => {
    expect([isEmail(most), isEmail(tooMany)]).toEqual([true, false])
  })
})

describe('checkAddress', () => {
  const check = (values: Partial<Record<AddressKey, string>>) =>
    checkAddress(fieldsFor('billing', values.country ?? '', 'US'), values)
  const good = {
    first_name: ' Ann ',
    last_name: 'Bee',
    country: 'us',
    address_1: '1 Main St',
    city: 'Boston',
    state: 'massachusetts',
    postcode: '021119999',
    phone: '415 555',
    email: 'a@b.test',
  }

  it('cleans what it accepts', () => {
    const { values, faults } = check({ ...good, country: 'US' })
    expect(faults).toEqual([])
    expect(values).toMatchObject({ first_name: 'Ann', country: 'US', state: 'MA', postcode: '02111-9999', company: '' })
    expect(check(good).values.country).toBe('US')
  })

  it.each([
    [
      'JP',
      { state: 'JP13', postcode: '１００－０００１', phone: '（０３）１２３４ー５６７８', email: 'hana＠example.test' },
    ],
    ['EG', { state: 'EGC', postcode: '١١٥١١', phone: '+٢٠ ٢ ١٢٣٤٥٦٧٨', email: 'a@b.test' }],
  ])('keeps numbers of a keyboard in %s in the signs that everybody reads', (country, typed) => {
    const { values, faults } = check({ ...good, country, ...typed })
    expect(faults).toEqual([])
    expect(values).toMatchObject(
      country === 'JP'
        ? { postcode: '100-0001', phone: '(03)1234-5678', email: 'hana@example.test' }
        : { postcode: '11511', phone: '+20 2 12345678' },
    )
  })

  it('names each field that is wrong or missing, once', () => {
    const { faults } = check({
      ...good,
      country: 'US',
      state: 'Bavaria',
      postcode: '1',
      phone: 'x',
      email: 'x',
      city: ' ',
    })
    expect(faults.map(({ field: key, reason }) => [key, reason])).toEqual([
      ['city', 'required'],
      ['state', 'unknown-state'],
      ['postcode', 'invalid-postcode'],
      ['phone', 'invalid-phone'],
      ['email', 'invalid-email'],
    ])
    expect(check({ ...good, country: 'ZZ' }).faults).toContainEqual({
      field: 'country',
      reason: 'unknown-country',
      value: 'ZZ',
    })
  })

  it('does not ask for what the country hides', () => {
    const { faults } = check({ ...good, country: 'FR', state: '', postcode: '75001' })
    expect(faults).toEqual([])
  })

  it('empties what the country hides, and takes control characters for blanks', () => {
    const { values, faults } = check({
      ...{ ...good, country: 'AE', state: 'Dubai', postcode: '00000' },
      ...{ city: 'Du\u0000bai\r\nBcc: x', first_name: '\ud800Ann\u2028', last_name: ' \t\u0007 ' },
    })
    expect(values).toMatchObject({ postcode: '', city: 'Du bai Bcc: x', first_name: 'Ann', last_name: '' })
    expect(faults).toEqual([{ field: 'last_name', reason: 'required' }])
  })

  it('knows the countries that the shop has to do with', () => {
    const fields = fieldsFor('billing', 'FR', 'US')
    const { faults } = checkAddress(fields, { ...good, country: 'FR', postcode: '75001' }, (code) => code === 'US')
    expect(faults).toEqual([{ field: 'country', reason: 'country-not-offered', value: 'FR' }])
  })
})

describe('the provider', () => {
  const shop = {
    address_1: '1 Main St',
    address_2: 'Apt 2',
    city: 'San Jose',
    state: 'CA',
    postcode: '95131',
    country: 'US',
  }

  it('ADDR-08 maps fields both ways, by every name, and in the short form', () => {
    const provider = {
      address_line_1: '1 Main St',
      address_line_2: 'Apt 2',
      admin_area_1: 'CA',
      admin_area_2: 'San Jose',
      postal_code: '95131',
      country_code: 'US',
    }
    expect(toProviderAddress(shop)).toEqual(provider)
    expect(fromProviderAddress(provider)).toEqual(shop)
    expect(
      fromProviderAddress({
        line1: '1 Main St',
        line2: 'Apt 2',
        state: 'CA',
        city: 'San Jose',
        postal_code: '95131',
        country_code: 'us',
      }),
    ).toEqual(shop)
    expect(
      fromProviderAddress({
        addressLine1: '1 Main St',
        addressLine2: 'Apt 2',
        adminArea1: 'CA',
        adminArea2: 'San Jose',
        postalCode: '95131',
        countryCode: 'US',
      }),
    ).toEqual(shop)
    expect(
      fromProviderAddress({
        streetAddress: '1 Main St',
        extendedAddress: 'Apt 2',
        region: 'CA',
        locality: 'San Jose',
        postalCode: '95131',
        countryCodeAlpha2: 'US',
      }),
    ).toEqual(shop)
    expect(toShortProviderAddress(shop)).toEqual({
      city: 'San Jose',
      state: 'CA',
      postal_code: '95131',
      country_code: 'US',
    })
    expect(fromProviderAddress(toShortProviderAddress(shop))).toEqual({ ...shop, address_1: '', address_2: '' })
    expect(toProviderAddress({ ...shop, address_2: '' })).not.toHaveProperty('address_line_2')
    const china = { ...shop, country: 'CN', state: '' }
    expect(toProviderAddress(china)).toMatchObject({ country_code: 'C2' })
    expect(fromProviderAddress(toProviderAddress(china))).toEqual(china)
    expect(fromProviderAddress({ postal_code: 95131, country_code: null })).toMatchObject({ postcode: '', country: '' })
  })

  it('ADDR-09 a full name is everything before the last space, and the last word', () => {
    expect(splitFullName('Ann Mary Bee')).toEqual({ first_name: 'Ann Mary', last_name: 'Bee' })
    expect(splitFullName('  Cher ')).toEqual({ first_name: '', last_name: 'Cher' })
    expect(splitFullName('')).toEqual({ first_name: '', last_name: '' })
    expect(fullName(splitFullName('Ann Bee'))).toBe('Ann Bee')
  })

  it('a name that is written family first stays so, and comes apart so', () => {
    const hana = { first_name: '花', last_name: '青木' }
    expect(fullName(hana)).toBe('青木 花')
    expect([splitFullName('青木　花'), splitFullName('김 민준')]).toEqual([
      hana,
      { first_name: '민준', last_name: '김' },
    ])
    // A wallet has its own name order, and sends the owner's name parts separately.
    expect([splitFullName('花 青木', hana), splitFullName('青木 花', hana)]).toEqual([hana, hana])
    expect(splitFullName('김 민준', hana)).toEqual({ first_name: '민준', last_name: '김' })
    // A foreign name in katakana, and a Japanese one in Latin letters.
    const maria = { first_name: 'マリア', last_name: 'ガルシア' }
    expect([fullName(maria), splitFullName('マリア ガルシア')]).toEqual(['マリア ガルシア', maria])
    expect(fullName({ first_name: 'Hana', last_name: 'Aoki' })).toBe('Hana Aoki')
    expect([fullName({ first_name: '花', last_name: '' }), fullName({ first_name: '', last_name: '青木' })]).toEqual([
      '花',
      '青木',
    ])
  })

  it('a letter calls nobody by the first name alone where that is for friends', () => {
    const [hana, ada] = [
      { first_name: '花', last_name: '青木' },
      { first_name: 'Ada', last_name: 'Lind' },
    ]
    expect([greetedName(hana, 'ja-JP'), greetedName(hana, 'de-DE')]).toEqual(['青木 花', '青木 花'])
    expect([greetedName(ada, 'ja'), greetedName(ada, 'de-DE'), greetedName(ada, 'jam')]).toEqual([
      'Ada Lind',
      'Ada',
      'Ada',
    ])
    expect(['ja-JP', 'hu', 'de', 'jam'].map(asksFamilyFirst)).toEqual([true, true, false, false])
  })
})
