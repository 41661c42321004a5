import { splitFullName } from '#domain/addresses/full-name.ts'
import { formatPostcode } from '#domain/addresses/postcode.ts'
import { fromProviderAddress } from '#domain/payments/provider-address.ts'
import { isRecord } from '../../../runtime/request.ts'
import type { AcceleratedCard, AcceleratedProfile, Authentication } from '../provider.ts'

/** Parses the untyped customer data of the provider's script. */

const states: readonly string[] = ['failed', 'canceled', 'unrecognized'] satisfies Authentication['state'][]

/** Returns the authentication result. An unknown state is a failure; `not_found` is the former name of a state. */
export function authenticationOf(answer: unknown): Authentication {
  const { authenticationState, profileData } = record(answer)
  if (authenticationState === 'succeeded') return { state: 'succeeded', profile: profileOf(profileData) }
  if (authenticationState === 'not_found') return { state: 'unrecognized' }
  // Proof of the cast: it is an entry of the list.
  const state = states.includes(text(authenticationState)) ? (authenticationState as 'failed') : 'failed'
  return { state }
}

export function profileOf(data: unknown): AcceleratedProfile {
  const { name, shippingAddress, card } = record(data)
  const shipping = shippingOf(shippingAddress)
  const known = cardOf(card)
  return { name: nameIn(name), ...(shipping ? { shipping } : {}), ...(known ? { card: known } : {}) }
}

/** @returns undefined without a country */
export function shippingOf(value: unknown): AcceleratedProfile['shipping'] | undefined {
  const { name, address, phoneNumber, companyName } = record(value)
  const place = placeOf(address)
  if (!place) return undefined
  const receiver = nameIn(name)
  return {
    name: receiver,
    phone: phoneIn(phoneNumber),
    address: { ...splitFullName(receiver), company: text(companyName), ...place },
  }
}

/** @returns undefined for a card that cannot pay */
export function cardOf(value: unknown): AcceleratedCard | undefined {
  const { id, paymentSource } = record(value)
  const card = record(record(paymentSource).card)
  const token = text(id)
  if (!token) return undefined
  const name = text(card.name)
  const place = placeOf(card.billingAddress)
  return {
    token,
    brand: text(card.brand).toLowerCase(),
    last4: text(card.lastDigits),
    expiry: text(card.expiry),
    name,
    billing: place ? { ...(name ? splitFullName(name) : {}), ...place } : {},
  }
}

function placeOf(address: unknown): Readonly<Record<string, string>> | undefined {
  const place = fromProviderAddress(record(address))
  if (!place.country) return undefined
  const phone = phoneIn(record(address).phoneNumber)
  return { ...place, postcode: formatPostcode(place.postcode, place.country), ...(phone ? { phone } : {}) }
}

/** Converts an address to the provider's keys, for its card form; `undefined` without a country. */
export function toAcceleratedAddress(address: Readonly<Record<string, string>>): Record<string, string> | undefined {
  if (!address.country) return undefined
  const parts = {
    addressLine1: address.address_1,
    addressLine2: address.address_2,
    adminArea1: address.state,
    adminArea2: address.city,
    postalCode: address.postcode,
    countryCode: address.country,
  }
  return Object.fromEntries(Object.entries(parts).filter((part): part is [string, string] => Boolean(part[1])))
}

function nameIn(value: unknown): string {
  const { fullName, firstName, lastName } = record(value)
  return text(fullName) || `${text(firstName)} ${text(lastName)}`.trim()
}

/** Returns the national digits, or a plain text unchanged. The country code comes from the address. */
function phoneIn(value: unknown): string {
  return typeof value === 'string' ? value.trim() : text(record(value).nationalNumber)
}

const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
