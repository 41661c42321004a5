import { splitFullName } from '#domain/addresses/full-name.ts'
import { formatPostcode } from '#domain/addresses/postcode.ts'
import { fromProviderAddress } from '#domain/payments/provider-address.ts'
import { isRecord } from '../../../runtime/request.ts'
import type { AcceleratedCard, AcceleratedProfile, Authentication } from '../provider.ts'

/** What the provider's script says of its customers, read as what it is: nothing in it is certain. */

const states: readonly string[] = ['failed', 'canceled', 'unrecognized'] satisfies Authentication['state'][]

/** An outcome of a name that nobody knows is a failure; `not_found` is how one was called before. */
export function authenticationOf(answer: unknown): Authentication {
  const { authenticationState, profileData } = record(answer)
  if (authenticationState === 'succeeded') return { state: 'succeeded', profile: profileOf(profileData) }
  if (authenticationState === 'not_found') return { state: 'unrecognized' }
  // Proof of the cast: it is one of the list.
  const state = states.includes(text(authenticationState)) ? (authenticationState as 'failed') : 'failed'
  return { state }
}

export function profileOf(data: unknown): AcceleratedProfile {
  const { name, shippingAddress, card } = record(data)
  const shipping = shippingOf(shippingAddress)
  const known = cardOf(card)
  return { name: nameIn(name), ...(shipping ? { shipping } : {}), ...(known ? { card: known } : {}) }
}

/** @returns undefined for what has no country */
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

/** @returns undefined for what cannot be paid with */
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

/** An address in the provider's words, for the form in which a card is typed; `undefined` without a country. */
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

/** National digits; a plain text as it is. The country's code is the address's to know. */
function phoneIn(value: unknown): string {
  return typeof value === 'string' ? value.trim() : text(record(value).nationalNumber)
}

const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
