import { z } from 'zod'
import { postalKeys } from '#domain/addresses/address-fields.ts'
import { addressMembers } from './address-members.ts'

const text = z.string().max(400)

/** Members of an address in REST v3; a billing address has an email too. */
export const shippingRecord = z.object(addressMembers(text))
export const billingRecord = shippingRecord.extend({ email: text })

// A few programs send null for an empty member.
const written = text
  .nullable()
  .transform((value) => value ?? '')
  .optional()
const names: readonly string[] = [...postalKeys, 'email']

/** An address as it is written: missing members stay unchanged. */
export const addressInput = z
  .looseObject({ ...addressMembers(written), email: written })
  .transform(
    (given) =>
      Object.fromEntries(
        Object.entries(given).filter(([name, value]) => names.includes(name) && typeof value === 'string'),
      ) as Readonly<Record<string, string>>,
  )
