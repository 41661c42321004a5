import { describe, expect, it } from 'vitest'
import { addressKeys, fieldsFor } from './address-fields.ts'
import { countryCodes } from './countries.ts'
import { invalidText, missingText } from './field-errors.ts'

describe('the text under a field', () => {
  it('ADDR-01 names every field of every country as its label does', () => {
    const labels = new Set(
      countryCodes.flatMap((country) => fieldsFor('billing', country, 'US').map(({ label }) => label)),
    )
    expect(labels.size).toBeGreaterThan(addressKeys.length)
    expect([...labels].filter((label) => missingText(label) === missingText('Unheard of'))).toEqual([])
    const postcodes = countryCodes.flatMap((country) =>
      fieldsFor('billing', country, 'US').filter(({ key }) => ['postcode', 'phone', 'email'].includes(key)),
    )
    expect(postcodes.filter(({ label }) => invalidText(label) === invalidText('Unheard of'))).toEqual([])
  })

  it('tells what to do, as long as the label is known', () => {
    expect([missingText('First name'), missingText('ZIP Code'), invalidText('Postcode')]).toEqual([
      'Enter your first name',
      'Enter your ZIP code',
      'Enter a valid postcode',
    ])
    expect([missingText('Shoe size'), invalidText('Shoe size')]).toEqual(['Fill in this field', 'Check this entry'])
  })
})
