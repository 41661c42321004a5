import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { DefaultedJsonObject, JsonObject } from './schema.ts'

export type SessionsTable = {
  id: string
  version: Generated<number>
  state: JsonObject
  expires_at: Date
  created_at: Generated<Date>
  updated_at: Generated<Date>
  customer_id: number | null
  remember: Generated<boolean>
  /** The customer that this guest logged in as. */
  became: number | null
  device: Generated<string>
  /** For a login: whether the second factor was verified. */
  second_factor: Generated<boolean>
}

export type CustomerRole = 'customer' | 'translator' | 'shop_manager' | 'administrator'

export type CustomersTable = {
  id: Generated<number>
  email: string
  username: string
  first_name: Generated<string>
  last_name: Generated<string>
  display_name: Generated<string>
  role: Generated<CustomerRole>
  password: string | null
  billing: DefaultedJsonObject
  shipping: DefaultedJsonObject
  state: DefaultedJsonObject
  state_version: Generated<number>
  reset_digest: string | null
  reset_expires_at: Date | null
  vat_exempt: Generated<boolean>
  language: Generated<string>
  email_verified_at: Date | null
  email_wanted: string | null
  email_digest: string | null
  email_expires_at: Date | null
  created_at: Date
  updated_at: Date
  attribution: DefaultedJsonObject
}

export type CustomerMetaTable = { customer_id: number; meta_data: DefaultedJsonObject }

export type SecondFactorsTable = {
  customer_id: number
  /** Encrypted: see `shop/customers/credentials/sealed-text.ts`. */
  secret: string
  /** Null: setup is not complete. */
  confirmed_at: Date | null
  last_step: Generated<number>
  created_at: Date
}

export type RecoveryCodesTable = {
  customer_id: number
  digest: string
  used_at: Date | null
}

export type RateLimitsTable = {
  bucket: string
  used_until: Date
  steps: Generated<number>
}

export type PaymentTokensTable = {
  id: GeneratedAlways<number>
  customer_id: number
  method: string
  environment: 'sandbox' | 'live'
  token: string
  kind: 'card' | 'wallet'
  brand: Generated<string>
  last4: Generated<string>
  /** Expiry month of a card, as `2027-04`. */
  expires: Generated<string>
  account: Generated<string>
  is_default: Generated<boolean>
  created_at: Date
}

/** Rows are added and never changed. */
export type AccessLogTable = {
  id: GeneratedAlways<number>
  at: ColumnType<Date, Date, never>
  who: ColumnType<string, string, never>
  action: ColumnType<string, string, never>
  subject: ColumnType<string, string, never>
}

export type IdempotencyKeysTable = {
  scope: string
  key: string
  body_hash: string
  status: number | null
  headers: ColumnType<Record<string, string>, Record<string, string> | undefined, Record<string, string>>
  body: string | null
  created_at: Date
  expires_at: Date
}
