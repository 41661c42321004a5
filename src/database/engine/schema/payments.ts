import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

// Types of the tables about payments; others are in schema.ts.

export type WalletOrdersTable = {
  id: string
  order_id: number
  revision: number
  session_id: string
  environment: string
  payee: Generated<string>
  amount: number
  currency: string
  state: string
  approve_url: Generated<string>
  intent: Generated<'CAPTURE' | 'AUTHORIZE'>
  method: Generated<string>
  /** A decline was shown to the shopper, so it must not be captured. */
  told_no: Generated<boolean>
  checked_at: Date | null
  created_at: Date
}

export type PaymentAttemptsTable = {
  id: GeneratedAlways<number>
  order_id: number
  /** `pay`: one call that creates the wallet order and captures it. */
  step: 'create' | 'pay' | 'update' | 'capture' | 'authorise' | 'refund' | 'void' | 'vault'
  revision: number
  request_id: string
  wallet_order_id: string | null
  amount: number
  currency: string
  body_hash: string
  state: 'open' | 'succeeded' | 'refused' | 'unknown'
  instance: number
  result: ColumnType<Record<string, unknown> | null, object | null | undefined, object | null>
  opened_at: Date
  closed_at: Date | null
}

export type CapturesTable = {
  id: string
  order_id: number
  wallet_order_id: string
  status: string
  amount: number
  currency: string
  environment: string
  fee: number | null
  captured_at: Date
  authorization_id: string | null
  /** A duplicate payment, beside the one that the order counts. */
  stray: Generated<boolean>
}

/** Money that the provider has authorized for an order. */
export type AuthorizationsTable = {
  id: string
  order_id: number
  wallet_order_id: string
  status: string
  amount: number
  currency: string
  environment: string
  authorized_at: Date
  expires_at: Date
}

export type VaultCustomersTable = {
  customer_id: number
  environment: 'sandbox' | 'live'
  provider_id: string
}

export type SetupTokensTable = {
  request_id: string
  /** The provider's id; null until it has answered. */
  id: string | null
  session_id: string
  customer_id: number | null
  method: string
  environment: 'sandbox' | 'live'
  context: string
  state: 'opening' | 'open' | 'keeping' | 'kept' | 'failed'
  instance: number
  payment_token: string | null
  created_at: Date
}
