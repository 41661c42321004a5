import type { Address } from '../orders/order.ts'
import { Refusal } from '../rest/error-bodies.ts'
import { type Card, readCard } from '../vault/cards.ts'
import { payerIdFor } from '../world/ids.ts'
import type { Buyer } from './buyers.ts'

/** What a guest types in to pay by card. */
export type GuestForm = Record<
  | 'email'
  | 'number'
  | 'expiry'
  | 'cvv'
  | 'given_name'
  | 'surname'
  | 'street'
  | 'city'
  | 'state'
  | 'postcode'
  | 'country',
  string
>

export type GuestRead = { ok: true; buyer: Buyer; card: Card } | { ok: false; field: keyof GuestForm; text: string }

const PROBLEMS: [RegExp, keyof GuestForm, string][] = [
  [/EXPIR/, 'expiry', 'Check the expiry date of the card.'],
  [/SECURITY|CVV/, 'cvv', 'Check the security code of the card.'],
  [/./, 'number', 'Check the number of the card.'],
]

export function emptyGuestForm(): GuestForm {
  const [email, number, expiry, cvv, given_name, surname, street, city, state, postcode] = Array(10).fill('')
  return { email, number, expiry, cvv, given_name, surname, street, city, state, postcode, country: 'US' }
}

export function guestFormOf(sent: Record<string, unknown>): GuestForm {
  const form = emptyGuestForm()
  for (const key of Object.keys(form) as (keyof GuestForm)[]) {
    const value = sent[key]
    if (typeof value === 'string') form[key] = value.trim()
  }
  return form
}

/** A buyer without an account, and their card; or what has to be typed in anew. */
export function readGuest(form: GuestForm, now: Date): GuestRead {
  if (!/^\S+@\S+\.\S+$/.test(form.email)) return { ok: false, field: 'email', text: 'Enter an email address.' }
  for (const field of ['given_name', 'surname', 'street', 'city', 'postcode'] as const) {
    if (form[field] === '') return { ok: false, field, text: 'Please fill in this field.' }
  }
  if (!/^[A-Z]{2}$/.test(form.country)) return { ok: false, field: 'country', text: 'Choose a country.' }
  const [, month = '', year = ''] = /^(\d{1,2})\s*\/\s*(?:20)?(\d\d)$/.exec(form.expiry) ?? []
  if (month === '') return { ok: false, field: 'expiry', text: 'Write the expiry date as MM/YY.' }
  const address: Address = {
    address_line_1: form.street,
    admin_area_2: form.city,
    ...(form.state === '' ? {} : { admin_area_1: form.state }),
    postal_code: form.postcode,
    country_code: form.country,
  }
  const fullName = `${form.given_name} ${form.surname}`
  try {
    const card = readCard(
      {
        number: form.number.replace(/\s/g, ''),
        expiry: `20${year}-${month.padStart(2, '0')}`,
        security_code: form.cvv,
        name: fullName,
        billing_address: address,
      },
      now,
    )
    return { ok: true, card, buyer: guest(form, fullName, address) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const about = `${error.issues[0]?.field} ${error.issues[0]?.issue}`.toUpperCase()
    const [, field, text] = PROBLEMS.find(([pattern]) => pattern.test(about)) ?? [/./, 'number' as const, '']
    return { ok: false, field, text }
  }
}

function guest(form: GuestForm, fullName: string, address: Address): Buyer {
  return {
    email: form.email,
    payerId: payerIdFor(form.email),
    givenName: form.given_name,
    surname: form.surname,
    countryCode: form.country,
    addresses: [{ id: 'guest', fullName, address }],
    funds: 'good',
    approvalMs: 0,
    purpose: '',
  }
}
