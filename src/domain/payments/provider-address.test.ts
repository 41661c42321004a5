import { describe, expect, it } from 'vitest'
import { fromProviderAddress, toProviderAddress, toShortProviderAddress } from './provider-address.ts'

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
})
