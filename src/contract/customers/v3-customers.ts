import { z } from 'zod'
import { roles } from '#domain/customers/roles.ts'
import { idInput } from '../shared/number-text.ts'
import { addressInput, billingRecord, shippingRecord } from '../shared/rest-address.ts'
import { listOf, paging, recordShape as shape } from '../shared/rest-input.ts'
import { metaDataInput, metaDataRecord } from '../shared/rest-meta-data.ts'

/** `GET wc/v3/customers` */
export const v3CustomersInput = z.object({
  ...paging,
  ...shape,
  search: z.string().trim().max(200).default(''),
  include: listOf(idInput).default([]),
  exclude: listOf(idInput).default([]),
  order: z.enum(['asc', 'desc']).default('asc'),
  orderby: z.enum(['id', 'include', 'name', 'registered_date']).default('name'),
  email: z.string().trim().max(320).optional(),
  role: z.enum(['all', ...roles]).default('customer'),
})

export type V3CustomersInput = z.output<typeof v3CustomersInput>

const name = z.string().trim().max(100)
const email = z.string().trim().min(1).max(320)
const password = z.string().max(600)

const customerMembers = {
  first_name: name.optional(),
  last_name: name.optional(),
  username: name.optional(),
  password: password.optional(),
  billing: addressInput.optional(),
  shipping: addressInput.optional(),
  meta_data: metaDataInput.optional(),
}

/** `POST wc/v3/customers` */
export const v3CustomerCreate = z.looseObject({ email, ...customerMembers })
/** `PUT wc/v3/customers/{id}`: missing members stay unchanged. */
export const v3CustomerUpdate = z.looseObject({ email: email.optional(), ...customerMembers })

export type V3CustomerCreate = z.output<typeof v3CustomerCreate>
export type V3CustomerUpdate = z.output<typeof v3CustomerUpdate>

/** `DELETE wc/v3/customers/{id}?reassign=`: the customer who gets the orders. */
export const v3Reassign = z.preprocess(
  (given) => (given === null || given === '' || given === '0' || given === 'false' ? undefined : given),
  idInput.optional(),
)

const time = z.string()

/** A customer of REST v3. */
export const v3CustomerRecord = z.object({
  id: z.number().int(),
  date_created: time,
  date_created_gmt: time,
  date_modified: time,
  date_modified_gmt: time,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: z.enum(roles),
  username: z.string(),
  billing: billingRecord,
  shipping: shippingRecord,
  is_paying_customer: z.boolean(),
  avatar_url: z.string(),
  meta_data: metaDataRecord,
})

export type V3CustomerRecord = z.output<typeof v3CustomerRecord>

/** A file that a customer can download. */
export const v3DownloadRecord = z.object({
  download_id: z.string(),
  download_url: z.string(),
  product_id: z.number().int(),
  product_name: z.string(),
  download_name: z.string(),
  order_id: z.number().int(),
  order_key: z.string(),
  /** A number, or `unlimited`. */
  downloads_remaining: z.string(),
  /** A time, or `never`. */
  access_expires: z.string(),
  access_expires_gmt: z.string(),
  file: z.object({ name: z.string(), file: z.string() }),
})
