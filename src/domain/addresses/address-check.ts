import { cleanEmail } from '../customers/email-identity.ts'
import { visibleText, withoutInvisible } from '../translation/visible-text.ts'
import { type AddressField, type AddressKey, isFilled } from './address-fields.ts'
import { isEmail, isPhone } from './contact-syntax.ts'
import { isCountry } from './countries.ts'
import { plainSigns } from './normalise-number.ts'
import { formatPostcode, isPostcode } from './postcode.ts'
import { stateCode } from './states.ts'

export type AddressFault =
  | { readonly field: AddressKey; readonly reason: 'unknown-country'; readonly value: string }
  | { readonly field: AddressKey; readonly reason: 'required' | 'invalid-postcode' | 'invalid-phone' | 'invalid-email' }
  /** The shop does not offer this country. */
  | { readonly field: AddressKey; readonly reason: 'country-not-offered'; readonly value: string }
  /** The country has a list of states. */
  | { readonly field: AddressKey; readonly reason: 'unknown-state'; readonly country: string }

export type CheckedAddress = {
  /** Trimmed and without invisible characters, postcode formatted, state as code, email in the form of `cleanEmail`. */
  readonly values: Readonly<Record<AddressKey, string>>
  readonly faults: readonly AddressFault[]
}

/**
 * Normalizes and validates a posted address. Fields that are not in `fields` are returned empty.
 * @param isOffered returns true for a country that the shop offers
 */
export function checkAddress(
  fields: readonly AddressField[],
  posted: Readonly<Partial<Record<AddressKey, string>>>,
  isOffered: (country: string) => boolean = isCountry,
): CheckedAddress {
  const country = plainLine(posted.country ?? '').toUpperCase()
  const values: Record<AddressKey, string> = { ...empty }
  const faults: AddressFault[] = []
  for (const field of fields) {
    // A hidden field is emptied, as in the browser: its value belongs to another country.
    const text = field.hidden ? '' : plainLine(posted[field.key] ?? '')
    const { value, fault } = checkField(field, text, country, isOffered)
    values[field.key] = value
    if (fault) faults.push(fault)
    // A hidden field is not required, and one fault per field is sufficient.
    else if (field.required && !field.hidden && !isFilled(value)) faults.push({ field: field.key, reason: 'required' })
  }
  return { values, faults }
}

const empty: Readonly<Record<AddressKey, string>> = {
  first_name: '',
  last_name: '',
  company: '',
  country: '',
  address_1: '',
  address_2: '',
  city: '',
  state: '',
  postcode: '',
  phone: '',
  email: '',
}

/**
 * Returns a field as it is stored. Fields are single lines: control characters and lone surrogates, which only scripts
 * send, count as spaces; invisible characters are removed.
 */
export function plainLine(text: string): string {
  return visibleText(text.toWellFormed().replace(/[\p{Cc}\u2028\u2029\ufffd]+/gu, ' '))
}

function checkField(
  field: AddressField,
  text: string,
  country: string,
  isOffered: (country: string) => boolean,
): { value: string; fault?: AddressFault } {
  const { key } = field
  if (text === '') return { value: '' }
  switch (key) {
    case 'country':
      if (!isCountry(country)) return { value: '', fault: { field: key, reason: 'unknown-country', value: text } }
      if (!isOffered(country))
        return { value: country, fault: { field: key, reason: 'country-not-offered', value: country } }
      return { value: country }
    case 'postcode': {
      const value = formatPostcode(text, country)
      return isPostcode(value, country) ? { value } : { value, fault: { field: key, reason: 'invalid-postcode' } }
    }
    case 'phone': {
      const value = plainSigns(withoutInvisible(text)).trim()
      return isPhone(value) ? { value } : { value, fault: { field: key, reason: 'invalid-phone' } }
    }
    case 'email': {
      // `＠` of a Japanese keyboard is normalized; dashes and digits of other scripts are ordinary characters of an
      // address.
      const value = cleanEmail(text)
      return isEmail(value) ? { value } : { value, fault: { field: key, reason: 'invalid-email' } }
    }
    case 'state': {
      const code = stateCode(country, text)
      if (code !== null) return { value: code }
      return { value: text, fault: { field: key, reason: 'unknown-state', country } }
    }
    default:
      return { value: text }
  }
}
