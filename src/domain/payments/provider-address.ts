import type { Address } from '../addresses/address-fields.ts'
import { visibleText } from '../translation/visible-text.ts'
import { providerState } from './provider-state.ts'

/** Address fields that the shop and PayPal share. */
export type PlaceFields = Pick<Address, 'address_1' | 'address_2' | 'city' | 'state' | 'postcode' | 'country'>

/** PayPal's form of an address. */
export type ProviderAddress = {
  readonly address_line_1?: string
  readonly address_line_2?: string
  readonly admin_area_1?: string
  readonly admin_area_2?: string
  readonly postal_code?: string
  readonly country_code?: string
}

/** PayPal's short form: the only fields before approval. */
export type ShortProviderAddress = {
  readonly city: string
  readonly state: string
  readonly postal_code: string
  readonly country_code: string
}

/**
 * PayPal's names of each field: orders, billing agreements, browser callbacks and accelerated checkout have their own
 * spelling.
 */
const names = {
  address_1: ['address_line_1', 'line1', 'addressLine1', 'streetAddress'],
  address_2: ['address_line_2', 'line2', 'addressLine2', 'extendedAddress'],
  state: ['admin_area_1', 'state', 'adminArea1', 'region'],
  city: ['admin_area_2', 'city', 'adminArea2', 'locality'],
  postcode: ['postal_code', 'postalCode'],
  country: ['country_code', 'countryCode', 'countryCodeAlpha2'],
} as const satisfies Record<keyof PlaceFields, readonly string[]>

/** Parses an address in any of PayPal's spellings. A missing or non-text field is `''`. */
export function fromProviderAddress(provider: Readonly<Record<string, unknown>>): PlaceFields {
  const read = (field: keyof PlaceFields) => {
    for (const name of names[field]) {
      const value = Object.hasOwn(provider, name) ? provider[name] : undefined
      if (typeof value === 'string' && value !== '') return visibleText(value)
    }
    return ''
  }
  return {
    address_1: read('address_1'),
    address_2: read('address_2'),
    city: read('city'),
    state: read('state'),
    postcode: read('postcode'),
    country: ownCountry(read('country').toUpperCase()),
  }
}

/** Returns PayPal's country code: C2 is China in cross-border payments, CN within China alone. */
export const providerCountry = (code: string): string => (code === 'CN' ? 'C2' : code)
const ownCountry = (code: string): string => (code === 'C2' ? 'CN' : code)

/** Converts an address for PayPal, which accepts a missing field but not always an empty one. */
export function toProviderAddress(address: PlaceFields): ProviderAddress {
  return {
    ...(address.address_1 && { address_line_1: address.address_1 }),
    ...(address.address_2 && { address_line_2: address.address_2 }),
    ...(address.state && { admin_area_1: providerState(address.country, address.state) }),
    ...(address.city && { admin_area_2: address.city }),
    ...(address.postcode && { postal_code: address.postcode }),
    ...(address.country && { country_code: providerCountry(address.country) }),
  }
}

export function toShortProviderAddress({ city, state, postcode, country }: PlaceFields): ShortProviderAddress {
  return { city, state: providerState(country, state), postal_code: postcode, country_code: providerCountry(country) }
}
