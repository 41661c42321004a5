import { z } from 'zod'

export const storeAddressKeys = [
  'first_name',
  'last_name',
  'company',
  'address_1',
  'address_2',
  'city',
  'state',
  'postcode',
  'country',
  'phone',
] as const

const text = z.string()

/** An address of the Store API. */
export const storeShippingAddress = z.object({
  first_name: text,
  last_name: text,
  company: text,
  address_1: text,
  address_2: text,
  city: text,
  state: text,
  postcode: text,
  country: text,
  phone: text,
})

export const storeBillingAddress = storeShippingAddress.extend({ email: text })

/** Longer values are truncated, as in the checkout form. */
const typed = z.string().max(1000)

/** A posted address: members may be absent, unknown ones are ignored. */
export const storeAddressInput = z.object({
  first_name: typed.optional(),
  last_name: typed.optional(),
  company: typed.optional(),
  address_1: typed.optional(),
  address_2: typed.optional(),
  city: typed.optional(),
  state: typed.optional(),
  postcode: typed.optional(),
  country: typed.optional(),
  phone: typed.nullable().optional(),
  email: typed.nullable().optional(),
})

export type StoreAddressInput = z.output<typeof storeAddressInput>
