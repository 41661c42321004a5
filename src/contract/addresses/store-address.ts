import { z } from 'zod'
import { addressMembers } from '../shared/address-members.ts'

const text = z.string()

/** An address of the Store API. */
export const storeShippingAddress = z.object(addressMembers(text))
export const storeBillingAddress = storeShippingAddress.extend({ email: text })

/** Longer values are truncated, as in the checkout form. */
const typed = z.string().max(1000).optional()
const nullable = typed.nullable()

/** A posted address: members may be absent, unknown ones are ignored. */
export const storeAddressInput = z.object({ ...addressMembers(typed), phone: nullable, email: nullable })

export type StoreAddressInput = z.output<typeof storeAddressInput>
