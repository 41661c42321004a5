import type { Address } from '../orders/order.ts'
import { payerIdFor } from '../world/ids.ts'

export type BuyerAddress = { id: string; fullName: string; address: Address }

/** What happens when a buyer's payment is collected. */
export type BuyerFunds = 'good' | 'declined-once' | 'echeck'

export type Buyer = {
  email: string
  payerId: string
  givenName: string
  surname: string
  countryCode: string
  addresses: readonly BuyerAddress[]
  funds: BuyerFunds
  /** How long the wallet takes to approve, in milliseconds. */
  approvalMs: number
  /** Whether the token of a wallet that is kept comes later than the payment. */
  isVaultedLater?: boolean
  /** What a person at the login page should know about this account. */
  purpose: string
}

const home: BuyerAddress = {
  id: 'home',
  fullName: 'Ada Example',
  address: {
    address_line_1: '12 Garden Street',
    address_line_2: 'Flat 3',
    admin_area_2: 'San Jose',
    admin_area_1: 'CA',
    postal_code: '95131',
    country_code: 'US',
  },
}

const office: BuyerAddress = {
  id: 'office',
  fullName: 'Ada Example',
  address: {
    address_line_1: '400 Market Street',
    admin_area_2: 'San Francisco',
    admin_area_1: 'CA',
    postal_code: '94111',
    country_code: 'US',
  },
}

const abroad: BuyerAddress = {
  id: 'abroad',
  fullName: 'Ada Example',
  address: {
    address_line_1: 'Imaneq 29',
    admin_area_2: 'Nuuk',
    postal_code: '3900',
    country_code: 'GL',
  },
}

type Difference = Partial<Pick<Buyer, 'addresses' | 'funds' | 'approvalMs' | 'countryCode' | 'isVaultedLater'>>

function buyer(name: string, purpose: string, difference: Difference = {}): Buyer {
  const email = `${name}@emulator.test`
  return {
    email,
    payerId: payerIdFor(email),
    givenName: 'Ada',
    surname: 'Example',
    countryCode: 'US',
    addresses: [home],
    funds: 'good',
    approvalMs: 0,
    purpose,
    ...difference,
  }
}

/** The wallet's accounts. Any password opens them. */
export const BUYERS: readonly Buyer[] = [
  buyer('buyer', 'pays at the first attempt'),
  buyer('declined', 'is declined at the first capture, pays after approving again', { funds: 'declined-once' }),
  buyer('echeck', 'pays by eCheck: the capture stays pending', { funds: 'echeck' }),
  buyer('noaddress', 'has no address in the wallet', { addresses: [] }),
  buyer('multi-address', 'chooses between two addresses', { addresses: [home, office] }),
  buyer('abroad', 'lives in Greenland', { addresses: [abroad], countryCode: 'GL' }),
  buyer('slow', 'needs three seconds to approve', { approvalMs: 3_000 }),
  buyer('kept-later', 'is saved, and the shop receives the vault token later', { isVaultedLater: true }),
]

export function findBuyer(email: string): Buyer | undefined {
  const wanted = email.trim().toLowerCase()
  return BUYERS.find((candidate) => candidate.email === wanted || candidate.email.split('@')[0] === wanted)
}
