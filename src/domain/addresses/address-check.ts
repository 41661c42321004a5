import { type AddressField, type AddressKey, isFilled } from './address-fields.ts'
import { isEmail, isPhone, withoutInvisible } from './contact-syntax.ts'
import { isCountry } from './countries.ts'
import { formatPostcode, isPostcode } from './postcode.ts'
import { stateCode, statesOf } from './states.ts'

export type AddressFault =
  | { readonly field: AddressKey; readonly reason: 'unknown-country'; readonly value: string }
  | { readonly field: AddressKey; readonly reason: 'required' | 'invalid-postcode' | 'invalid-phone' | 'invalid-email' }
  /** The names to choose from. */
  | { readonly field: AddressKey; readonly reason: 'unknown-state'; readonly allowed: readonly string[] }

export type CheckedAddress = {
  /** Trimmed, postcode formatted, state as code, e-mail without outer blanks. */
  readonly values: Readonly<Record<AddressKey, string>>
  readonly faults: readonly AddressFault[]
}

/** Cleans what was posted and says what is wrong with it. Fields that are not among `fields` come back empty. */
export function checkAddress(
  fields: readonly AddressField[],
  posted: Readonly<Partial<Record<AddressKey, string>>>,
): CheckedAddress {
  const country = (posted.country ?? '').trim().toUpperCase()
  const values: Record<AddressKey, string> = { ...empty }
  const faults: AddressFault[] = []
  for (const field of fields) {
    const { value, fault } = checked(field, (posted[field.key] ?? '').trim(), country)
    values[field.key] = value
    if (fault) faults.push(fault)
    // A hidden field is not asked for, and one fault a field is enough to mend it.
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

function checked(field: AddressField, text: string, country: string): { value: string; fault?: AddressFault } {
  const { key } = field
  if (text === '') return { value: '' }
  switch (key) {
    case 'country':
      return isCountry(country)
        ? { value: country }
        : { value: '', fault: { field: key, reason: 'unknown-country', value: text } }
    case 'postcode': {
      const value = formatPostcode(text, country)
      return isPostcode(value, country) ? { value } : { value, fault: { field: key, reason: 'invalid-postcode' } }
    }
    case 'phone': {
      const value = withoutInvisible(text).trim()
      return isPhone(value) ? { value } : { value, fault: { field: key, reason: 'invalid-phone' } }
    }
    case 'email':
      return isEmail(text) ? { value: text } : { value: text, fault: { field: key, reason: 'invalid-email' } }
    case 'state': {
      const code = stateCode(country, text)
      if (code !== null) return { value: code }
      return {
        value: text,
        fault: { field: key, reason: 'unknown-state', allowed: [...(statesOf(country)?.values() ?? [])] },
      }
    }
    default:
      return { value: text }
  }
}
