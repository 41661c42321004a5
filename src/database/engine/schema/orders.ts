import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import type { PaymentState } from '#domain/payments/payment-state.ts'
import type { DefaultedJsonObject, JsonObject } from './schema.ts'

export type OrdersTable = {
  id: Generated<number>
  key: string
  status: OrderStatus
  payment_state: Generated<PaymentState>
  attention: string | null
  session_id: string
  intention: string
  cart_hash: string
  currency: string
  language: Generated<string>
  prices_include_tax: boolean
  discount_total: Generated<number>
  discount_tax: Generated<number>
  shipping_total: Generated<number>
  shipping_tax: Generated<number>
  cart_tax: Generated<number>
  total_tax: Generated<number>
  total: number
  billing: JsonObject
  shipping: JsonObject
  customer_note: Generated<string>
  payment_method: string
  payment_method_title: string
  transaction_id: string | null
  customer_ip: Generated<string>
  customer_user_agent: Generated<string>
  created_via: Generated<string>
  stock_reduced: Generated<boolean>
  created_at: Date
  updated_at: Date
  paid_at: Date | null
  kept_method: number | null
  customer_id: number | null
  personal_data: Generated<'kept' | 'due' | 'erased'>
  exchange_rate: string | null
  base_currency: string | null
  base_total: number | null
  attribution: DefaultedJsonObject
  terms: ColumnType<Record<string, unknown> | null, object | null | undefined, object | null>
  /** The shop that the order was imported from. Null: an order of this shop. */
  imported_from: string | null
  /** The number that the order had there. */
  imported_number: string | null
  meta_data: DefaultedJsonObject
  trashed_at: Date | null
  deleted_at: Date | null
  figures_by_method: ColumnType<Record<string, unknown> | null, object | null | undefined, object | null>
}

/** Append-only by a trigger: rows are never changed or deleted. */
export type TermsVersionsTable = {
  version: ColumnType<string, string, never>
  language: ColumnType<string, string, never>
  title: ColumnType<string, string, never>
  introduction: ColumnType<string, string, never>
  text: ColumnType<string, string, never>
  first_shown_at: ColumnType<Date, Date, never>
}

export type OrderItemsTable = {
  id: GeneratedAlways<number>
  order_id: number
  position: number
  type: 'line_item' | 'shipping' | 'fee' | 'tax' | 'coupon'
  name: string
  product_id: number | null
  variation_id: number | null
  sku: Generated<string>
  quantity: Generated<number>
  subtotal: Generated<number>
  subtotal_tax: Generated<number>
  total: Generated<number>
  total_tax: Generated<number>
  facts: DefaultedJsonObject
}

export type OrderNotesTable = {
  id: GeneratedAlways<number>
  order_id: number
  at: Date
  for_customer: Generated<boolean>
  note: string
}

export type StockReservationsTable = { order_id: number; product_id: number; quantity: number; expires_at: Date }

export type CouponUsesTable = { order_id: number; coupon_id: number; used_by: string }

/** Append-only by a trigger: rows are never changed or deleted. */
export type LedgerTable = {
  order_id: ColumnType<number, number, never>
  seq: ColumnType<number, number, never>
  at: ColumnType<Date, Date, never>
  kind: ColumnType<string, string, never>
  data: ColumnType<Record<string, unknown>, object, never>
  previous: ColumnType<string, string, never>
  hash: ColumnType<string, string, never>
}

export type WebhookEventsTable = {
  id: string
  type: string
  transmission_id: Generated<string>
  body: string
  received_at: Date
  processed_at: Date | null
  outcome: string | null
}
