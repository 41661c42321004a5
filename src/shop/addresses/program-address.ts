import { plainLine } from '#domain/addresses/address-check.ts'
import { isEmail } from '#domain/addresses/contact-syntax.ts'
import { isCountry } from '#domain/addresses/countries.ts'
import { stateCode } from '#domain/addresses/states.ts'
import { cleanEmail } from '#domain/customers/email-identity.ts'
import { addressOf } from '../customers/sessions/login-state.ts'
import type { AddressState } from '../customers/sessions/session-state.ts'

/**
 * Applies the members of an address that a program sends. Programs may leave out what a form requires; what they send
 * must be a country, and an email address.
 * @param stored the address before; missing members stay unchanged
 */
export function changedAddress(
  stored: object,
  given: Readonly<Record<string, string>>,
): { ok: true; address: AddressState } | { ok: false; problem: string } {
  const lines = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, plainLine(value)]))
  const address = { ...addressOf(stored), ...lines }
  const country = address.country.toUpperCase()
  const email = cleanEmail(address.email)
  if (country !== '' && !isCountry(country)) return { ok: false, problem: `"${country}" is not a country code` }
  if (email !== '' && !isEmail(email)) return { ok: false, problem: `"${email}" is not an email address` }
  return {
    ok: true,
    address: { ...address, country, email, state: stateCode(country, address.state) ?? address.state },
  }
}
