import type { Card, CardRequest } from '../vault/cards.ts'
import type { SingleUseToken } from '../vault/vault.ts'

/** An address in the words of accelerated checkout. */
export type FastlaneAddress = {
  companyName: string
  name: FastlaneName
  address: {
    addressLine1: string
    addressLine2: string
    adminArea1: string
    adminArea2: string
    postalCode: string
    countryCode: string
  }
  phoneNumber: { countryCode: string; nationalNumber: string }
}

export type FastlaneName = { fullName: string; firstName: string; lastName: string }

/** Somebody whom the provider knows by their e-mail address. */
export type Member = {
  email: string
  name: FastlaneName
  addresses: readonly FastlaneAddress[]
  cards: readonly CardRequest[]
  /** Any six digits but zeros are right, none is, or the dialog is left by itself. */
  code: 'any' | 'none' | 'leaves'
}

const name: FastlaneName = { fullName: 'Mia Member', firstName: 'Mia', lastName: 'Member' }
const phoneNumber = { countryCode: '1', nationalNumber: '4085550142' }

const home: FastlaneAddress = {
  companyName: '',
  name,
  address: {
    addressLine1: '48 Orchard Lane',
    addressLine2: 'Apt 5',
    adminArea1: 'CA',
    adminArea2: 'San Jose',
    postalCode: '95131',
    countryCode: 'US',
  },
  phoneNumber,
}
const work: FastlaneAddress = {
  companyName: 'Member & Daughters',
  name,
  address: {
    addressLine1: '210 Canal Street',
    addressLine2: '',
    adminArea1: 'NY',
    adminArea2: 'New York',
    postalCode: '10013',
    countryCode: 'US',
  },
  phoneNumber,
}

const card = (number: string, expiry: string): CardRequest => ({
  number,
  expiry,
  name: name.fullName,
  billing_address: restForm(home.address),
})

function member(local: string, more: Partial<Member> = {}): Member {
  return {
    email: `${local}@emulator.test`,
    name,
    addresses: [home, work],
    cards: [
      card('4111111111111111', '2030-01'),
      card('5555555555554444', '2031-11'),
      card('4000000000000002', '2030-06'),
    ],
    code: 'any',
    ...more,
  }
}

/** Everybody else is a guest. The last card of those who have some is declined. */
export const MEMBERS: readonly Member[] = [
  member('member'),
  member('member-nocard', { cards: [] }),
  member('member-noaddress', { addresses: [] }),
  member('otp-fail', { code: 'none' }),
  member('otp-cancel', { code: 'leaves' }),
]

export function findMember(email: string): Member | undefined {
  const wanted = email.trim().toLowerCase()
  return MEMBERS.find((candidate) => candidate.email === wanted)
}

type RestAddress = NonNullable<CardRequest['billing_address']>

/** What of an address in the browser's words is filled in, in the words of the REST interface. */
export function restForm(address: Partial<FastlaneAddress['address']>): RestAddress {
  const { addressLine1, addressLine2, adminArea1, adminArea2, postalCode, countryCode } = address
  return {
    country_code: countryCode || 'US',
    ...(addressLine1 ? { address_line_1: addressLine1 } : {}),
    ...(addressLine2 ? { address_line_2: addressLine2 } : {}),
    ...(adminArea1 ? { admin_area_1: adminArea1 } : {}),
    ...(adminArea2 ? { admin_area_2: adminArea2 } : {}),
    ...(postalCode ? { postal_code: postalCode } : {}),
  }
}

function browserForm(address: RestAddress): FastlaneAddress['address'] {
  return {
    addressLine1: address.address_line_1 ?? '',
    addressLine2: address.address_line_2 ?? '',
    adminArea1: address.admin_area_1 ?? '',
    adminArea2: address.admin_area_2 ?? '',
    postalCode: address.postal_code ?? '',
    countryCode: address.country_code,
  }
}

/** A single-use token as the shop's page gets it. */
export function tokenView({ id, card }: SingleUseToken): object {
  return { id, paymentSource: { card: cardView(card) } }
}

function cardView({ brand, lastDigits, expiry, name, billingAddress }: Card): object {
  return {
    brand,
    ...(expiry === undefined ? {} : { expiry }),
    lastDigits,
    ...(name === undefined ? {} : { name }),
    ...(billingAddress ? { billingAddress: browserForm(billingAddress) } : {}),
  }
}
