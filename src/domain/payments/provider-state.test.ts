import { describe, expect, it } from 'vitest'
import { stateCode, statesByCountry } from '../addresses/states.ts'
import { toProviderAddress } from './provider-address.ts'
import { providerState } from './provider-state.ts'

describe('the provider’s states', () => {
  it.each([
    ['US', 'CA', 'CA'],
    ['IT', 'RM', 'RM'],
    ['BR', 'SP', 'SP'],
    ['JP', 'JP13', 'TOKYO-TO'],
    ['JP', 'JP26', 'KYOTO-FU'],
    ['JP', 'JP23', 'AICHI-KEN'],
    ['JP', 'JP01', 'HOKKAIDO'],
    ['AR', 'C', 'CIUDAD AUTÓNOMA DE BUENOS AIRES'],
    ['AR', 'B', 'BUENOS AIRES'],
    ['AR', 'X', 'CÓRDOBA'],
    ['IN', 'DL', 'Delhi (NCT)'],
    ['IN', 'MH', 'Maharashtra'],
    ['MX', 'AG', 'AGS'],
    ['MX', 'QR', 'Q ROO'],
    ['TH', 'TH-10', 'Bangkok'],
    ['DE', 'DE-BY', 'Bavaria'],
    ['GB', 'Kent', 'Kent'],
    ['JP', 'Nowhere', 'Nowhere'],
  ])('ADDR-08 %s %s is %s', (country, code, state) => {
    expect(providerState(country, code)).toBe(state)
  })

  it('ADDR-08 whatever is sent comes back as the same code', () => {
    for (const [country, states] of Object.entries(statesByCountry()))
      for (const code of Object.keys(states))
        expect([country, code, stateCode(country, providerState(country, code))]).toEqual([country, code, code])
  })

  it('ADDR-08 an address goes out with it', () => {
    const address = { address_1: '1-1', address_2: '', city: 'Chiyoda-ku', postcode: '100-0005', country: 'JP' }
    expect(toProviderAddress({ ...address, state: 'JP13' })).toEqual({
      ...{ address_line_1: '1-1', admin_area_1: 'TOKYO-TO', admin_area_2: 'Chiyoda-ku', postal_code: '100-0005' },
      country_code: 'JP',
    })
  })
})
