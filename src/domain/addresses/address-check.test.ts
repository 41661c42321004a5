import { describe, expect, it } from 'vitest'
import { checkAddress } from './address-check.ts'
import { type AddressKey, fieldsFor } from './address-fields.ts'

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
