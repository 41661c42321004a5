import { message } from '../translation/message.ts'

type FieldErrors = { readonly missing: string; readonly invalid?: string }

/**
 * The text under a field of a form, by the English original of its label. The list above the form names the field in
 * the sentence of the wire contract instead.
 */
const byLabel: Readonly<Record<string, FieldErrors>> = {
  'First name': { missing: message('Enter your first name') },
  'Last name': { missing: message('Enter your last name') },
  'Company name': { missing: message('Enter your company name') },
  'Country / Region': { missing: message('Select your country or region') },
  'Street address': { missing: message('Enter your street address') },
  'Apartment, suite, unit, etc.': { missing: message('Enter your apartment, suite or unit') },
  Phone: { missing: message('Enter your phone number'), invalid: message('Enter a valid phone number') },
  'Email address': { missing: message('Enter your email address'), invalid: message('Enter a valid email address') },
  'Display name': { missing: message('Enter your display name') },
  'Account username': { missing: message('Enter a username') },
  'Create account password': { missing: message('Enter a password') },

  'Town / City': { missing: message('Enter your town or city') },
  'Town / District': { missing: message('Enter your town or district') },
  'Town / Village': { missing: message('Enter your town or village') },
  'Town / City / Post Office': { missing: message('Enter your town, city or post office') },
  Suburb: { missing: message('Enter your suburb') },

  'State / County': { missing: message('Enter your state or county') },
  'State / Zone': { missing: message('Enter your state or zone') },
  State: { missing: message('Enter your state') },
  Canton: { missing: message('Enter your canton') },
  County: { missing: message('Enter your county') },
  Department: { missing: message('Enter your department') },
  District: { missing: message('Enter your district') },
  Municipality: { missing: message('Enter your municipality') },
  'Municipality / District': { missing: message('Enter your municipality or district') },
  Parish: { missing: message('Enter your parish') },
  Prefecture: { missing: message('Enter your prefecture') },
  Province: { missing: message('Enter your province') },
  Region: { missing: message('Enter your region') },

  'Postcode / ZIP': {
    missing: message('Enter your postcode or ZIP code'),
    invalid: message('Enter a valid postcode or ZIP code'),
  },
  'ZIP Code': { missing: message('Enter your ZIP code'), invalid: message('Enter a valid ZIP code') },
  Postcode: { missing: message('Enter your postcode'), invalid: message('Enter a valid postcode') },
  'Postal code': { missing: message('Enter your postal code'), invalid: message('Enter a valid postal code') },
  'Postal Code': { missing: message('Enter your postal code'), invalid: message('Enter a valid postal code') },
  Eircode: { missing: message('Enter your Eircode'), invalid: message('Enter a valid Eircode') },
  'PIN Code': { missing: message('Enter your PIN code'), invalid: message('Enter a valid PIN code') },
}

/** Returns the English original under an empty field that is required. */
export function missingText(label: string): string {
  return byLabel[label]?.missing ?? message('Fill in this field')
}

/** Returns the English original under a field with an invalid value. */
export function invalidText(label: string): string {
  return byLabel[label]?.invalid ?? message('Check this entry')
}
