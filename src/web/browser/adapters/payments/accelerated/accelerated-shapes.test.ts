import { describe, expect, it } from 'vitest'
import { authenticationOf, cardOf, profileOf, shippingOf, toAcceleratedAddress } from './accelerated-shapes.ts'

const address = {
  addressLine1: '1 Main St',
  addressLine2: '',
  adminArea1: 'CA',
  adminArea2: 'San Jose',
  postalCode: '951311234',
  countryCode: 'US',
}
const place = {
  address_1: '1 Main St',
  address_2: '',
  city: 'San Jose',
  state: 'CA',
  postcode: '95131-1234',
  country: 'US',
}
const card = {
  id: 'tok_1',
  paymentSource: {
    card: { brand: 'VISA', expiry: '2030-01', lastDigits: '1111', name: 'Ann May Bee', billingAddress: address },
  },
}

describe('what the provider says of its customers', () => {
  it('FAST-04 a profile in the words of the shop', () => {
    expect(
      profileOf({
        name: { fullName: 'Ann Bee', firstName: 'Ann', lastName: 'Bee' },
        shippingAddress: {
          companyName: 'Bees',
          name: { fullName: 'Bob Bee' },
          address,
          phoneNumber: { countryCode: '1', nationalNumber: '4085551234' },
        },
        card,
      }),
    ).toEqual({
      name: 'Ann Bee',
      shipping: {
        name: 'Bob Bee',
        phone: '4085551234',
        address: { first_name: 'Bob', last_name: 'Bee', company: 'Bees', ...place },
      },
      card: {
        token: 'tok_1',
        brand: 'visa',
        last4: '1111',
        expiry: '2030-01',
        name: 'Ann May Bee',
        billing: { first_name: 'Ann May', last_name: 'Bee', ...place },
      },
    })
  })

  it('FAST-04 the other spelling of a billing address, with its phone number', () => {
    const billingAddress = {
      streetAddress: '2 Side St',
      extendedAddress: 'Floor 3',
      locality: 'Austin',
      region: 'TX',
      postalCode: '78701',
      countryCodeAlpha2: 'US',
      phoneNumber: '5125550100',
    }
    expect(cardOf({ id: 't', paymentSource: { card: { billingAddress } } })?.billing).toEqual({
      address_1: '2 Side St',
      address_2: 'Floor 3',
      city: 'Austin',
      state: 'TX',
      postcode: '78701',
      country: 'US',
      phone: '5125550100',
    })
  })

  it('FAST-04 a customer without card or address, and answers that are none', () => {
    expect(profileOf({ name: { firstName: 'Ann', lastName: 'Bee' }, shippingAddress: {}, card: null })).toEqual({
      name: 'Ann Bee',
    })
    for (const nothing of [undefined, null, 'x', [], { id: 7 }]) {
      expect(profileOf(nothing)).toEqual({ name: '' })
      expect(cardOf(nothing)).toBeUndefined()
      expect(shippingOf(nothing)).toBeUndefined()
    }
  })

  it('FAST-03 every outcome of the authentication, by its very name', () => {
    expect(authenticationOf({ authenticationState: 'succeeded', profileData: { card } })).toMatchObject({
      state: 'succeeded',
      profile: { card: { token: 'tok_1' } },
    })
    expect(authenticationOf({ authenticationState: 'canceled' })).toEqual({ state: 'canceled' })
    expect(authenticationOf({ authenticationState: 'unrecognized' })).toEqual({ state: 'unrecognized' })
    expect(authenticationOf({ authenticationState: 'not_found' })).toEqual({ state: 'unrecognized' })
    for (const other of ['failed', 'Succeeded', 'cancelled', undefined, 3]) {
      expect(authenticationOf({ authenticationState: other })).toEqual({ state: 'failed' })
    }
  })

  it('FAST-06 the typed address goes along to the form for a new card, without its empty parts', () => {
    expect(toAcceleratedAddress(place)).toEqual({
      addressLine1: '1 Main St',
      adminArea1: 'CA',
      adminArea2: 'San Jose',
      postalCode: '95131-1234',
      countryCode: 'US',
    })
    expect(toAcceleratedAddress({ ...place, country: '' })).toBeUndefined()
  })
})
