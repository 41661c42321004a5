import { describe, expect, it } from 'vitest'
import {
  type AddressKey,
  autocompleteOf,
  canShipTo,
  defaultFields,
  fieldsFor,
  isComplete,
  isFilled,
} from './address-fields.ts'
import { isCountry } from './countries.ts'
import { countriesWithRules } from './country-rules.ts'

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
      placeholder: 'Apartment, suite, unit, etc.',
    })
    expect(keys.find(({ key }) => key === 'phone')).toMatchObject({ required: false })
    expect(defaultFields('billing').find(({ key }) => key === 'address_2')?.placeholder).toBe(
      'Apartment, suite, unit, etc. (optional)',
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
