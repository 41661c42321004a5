import { z } from 'zod'

const text = z.string().max(400)

const addressMembers = {
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
}

/** Members of an address in REST v3; a billing address has an email too. */
export const shippingRecord = z.object(addressMembers)
export const billingRecord = z.object({ ...addressMembers, email: text })

// A few programs send null for an empty member.
const written = text.nullable().transform((value) => value ?? '')
const writtenMembers = Object.fromEntries(Object.keys(addressMembers).map((name) => [name, written.optional()]))

/** An address as it is written: missing members stay unchanged. */
export const addressInput = z.looseObject({ ...writtenMembers, email: written.optional() }).transform((given) => {
  const names = [...Object.keys(addressMembers), 'email']
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => names.includes(name) && typeof value === 'string'),
  ) as Readonly<Record<string, string>>
})
