import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable, Updateable } from 'kysely'

/**
 * The tables as Kysely sees them. What the driver hands out is set in `connect.ts`: bigint and numeric are safe numbers,
 * timestamptz is a Date, jsonb is parsed. Money columns are whole minor units.
 */
export type Schema = {
  settings: SettingsTable
  images: ImagesTable
  products: ProductsTable
  categories: CategoriesTable
  product_categories: ProductCategoriesTable
  tags: TagsTable
  product_tags: ProductTagsTable
  attributes: AttributesTable
  attribute_terms: AttributeTermsTable
  product_attributes: ProductAttributesTable
  variation_attributes: VariationAttributesTable
  product_images: ProductImagesTable
  product_links: ProductLinksTable
  stock_movements: StockMovementsTable
  tax_rates: TaxRatesTable
  shipping_zones: ShippingZonesTable
  shipping_methods: ShippingMethodsTable
  coupons: CouponsTable
  sessions: SessionsTable
  orders: OrdersTable
  order_items: OrderItemsTable
  order_notes: OrderNotesTable
  stock_reservations: StockReservationsTable
  coupon_uses: CouponUsesTable
  wallet_orders: WalletOrdersTable
  payment_attempts: PaymentAttemptsTable
  captures: CapturesTable
  ledger: LedgerTable
  webhook_events: WebhookEventsTable
  idempotency_keys: IdempotencyKeysTable
  sent_mail: SentMailTable
}

/** Any value that survives JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

/** A jsonb object of unknown members: parse it with its schema before use; any object may be written. */
type JsonObject = ColumnType<Record<string, unknown>, object, object>
type DefaultedJsonObject = ColumnType<Record<string, unknown>, object | undefined, object>

/** One row as it is read, written and changed: `Row<'orders'>`. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>
export type RowChange<Table extends keyof Schema> = Updateable<Schema[Table]>

// Catalogue

type SettingsTable = {
  key: string
  value: ColumnType<Json, Json | object, Json | object>
  updated_at: Generated<Date>
}

type ImagesTable = {
  id: GeneratedAlways<number>
  hash: string
  source: string
  width: number
  height: number
  alt: Generated<string>
  placeholder: Generated<string>
  widths: number[]
}

export type DownloadRow = { id: string; name: string; file: string }

type ProductsTable = {
  id: Generated<number>
  parent_id: number | null
  type: 'simple' | 'variable' | 'variation' | 'grouped' | 'external'
  sku: string | null
  gtin: Generated<string>
  name: string
  slug: string
  status: Generated<'publish' | 'private' | 'draft' | 'trash'>
  featured: Generated<boolean>
  visibility: Generated<'visible' | 'catalog' | 'search' | 'hidden'>
  short_description: Generated<string>
  description: Generated<string>
  regular_price: number | null
  sale_price: number | null
  sale_from: Date | null
  sale_to: Date | null
  tax_status: Generated<'taxable' | 'shipping' | 'none'>
  tax_class: Generated<string>
  manage_stock: Generated<'no' | 'yes' | 'parent'>
  stock_quantity: number | null
  stock_status: Generated<'instock' | 'outofstock' | 'onbackorder'>
  low_stock_amount: number | null
  backorders: Generated<'no' | 'notify' | 'yes'>
  sold_individually: Generated<boolean>
  virtual: Generated<boolean>
  downloadable: Generated<boolean>
  downloads: Generated<DownloadRow[]>
  download_limit: number | null
  download_expiry_days: number | null
  weight_grams: number | null
  length_mm: number | null
  width_mm: number | null
  height_mm: number | null
  reviews_allowed: Generated<boolean>
  purchase_note: Generated<string>
  shipping_class: Generated<string>
  external_url: Generated<string>
  button_text: Generated<string>
  menu_order: Generated<number>
  total_sales: Generated<number>
  average_rating: Generated<number>
  rating_count: Generated<number>
  min_price: number | null
  max_price: number | null
  on_sale: Generated<boolean>
  meta: DefaultedJsonObject
  created_at: Generated<Date>
  updated_at: Generated<Date>
  search: GeneratedAlways<string>
}

type CategoriesTable = {
  id: Generated<number>
  parent_id: number | null
  name: string
  slug: string
  description: Generated<string>
  position: Generated<number>
  image_id: number | null
}

type ProductCategoriesTable = { product_id: number; category_id: number }

type TagsTable = { id: Generated<number>; name: string; slug: string }

type ProductTagsTable = { product_id: number; tag_id: number }

type AttributesTable = { id: Generated<number>; name: string; slug: string }

type AttributeTermsTable = {
  id: Generated<number>
  attribute_id: number
  name: string
  slug: string
  position: Generated<number>
}

type ProductAttributesTable = {
  product_id: number
  position: number
  attribute_id: number | null
  name: string
  slug: string
  options: string[]
  visible: Generated<boolean>
  for_variations: Generated<boolean>
  default_option: Generated<string>
}

type VariationAttributesTable = { product_id: number; slug: string; value: string }

type ProductImagesTable = { product_id: number; position: number; image_id: number }

type ProductLinksTable = {
  product_id: number
  kind: 'grouped' | 'upsell' | 'crosssell'
  position: number
  linked_id: number
}

type StockMovementsTable = {
  id: GeneratedAlways<number>
  product_id: number
  change: number
  kind: 'counted' | 'sold' | 'returned'
  order_id: number | null
  at: Generated<Date>
}

type TaxRatesTable = {
  id: Generated<number>
  country: Generated<string>
  state: Generated<string>
  postcodes: Generated<string[]>
  cities: Generated<string[]>
  rate_ppm: number
  name: Generated<string>
  priority: Generated<number>
  compound: Generated<boolean>
  shipping: Generated<boolean>
  class: Generated<string>
}

type ShippingZonesTable = {
  id: number
  name: string
  zone_order: Generated<number>
  countries: Generated<string[]>
  continents: Generated<string[]>
  postcodes: Generated<string[]>
}

type ShippingMethodsTable = {
  instance_id: Generated<number>
  zone_id: number
  method: 'flat_rate' | 'free_shipping' | 'local_pickup'
  title: string
  enabled: Generated<boolean>
  position: Generated<number>
  settings: DefaultedJsonObject
}

type CouponsTable = {
  id: Generated<number>
  code: string
  type: 'percent' | 'fixed_cart' | 'fixed_product'
  amount_ppm: number | null
  amount_minor: number | null
  settings: DefaultedJsonObject
  usage_limit: number | null
  used: Generated<number>
  expires_at: Date | null
}

// Visitors, orders, payments

type SessionsTable = {
  id: string
  version: Generated<number>
  state: JsonObject
  expires_at: Date
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

export type OrderStatus =
  | 'checkout-draft'
  | 'pending'
  | 'on-hold'
  | 'processing'
  | 'completed'
  | 'cancelled'
  | 'refunded'
  | 'failed'

export type PaymentState =
  | 'none'
  | 'pending'
  | 'authorising'
  | 'review'
  | 'captured'
  | 'paid'
  | 'failed'
  | 'attention'
  | 'refunded'
  | 'partly-refunded'
  | 'disputed'

type OrdersTable = {
  id: Generated<number>
  key: string
  status: OrderStatus
  payment_state: Generated<PaymentState>
  attention: string | null
  session_id: string
  intention: string
  cart_hash: string
  currency: string
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
}

type OrderItemsTable = {
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

type OrderNotesTable = {
  id: GeneratedAlways<number>
  order_id: number
  at: Date
  for_customer: Generated<boolean>
  note: string
}

type StockReservationsTable = { order_id: number; product_id: number; quantity: number; expires_at: Date }

type CouponUsesTable = { order_id: number; coupon_id: number; used_by: string }

type WalletOrdersTable = {
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
  created_at: Date
}

type PaymentAttemptsTable = {
  id: GeneratedAlways<number>
  order_id: number
  step: 'create' | 'update' | 'capture' | 'authorise' | 'refund' | 'void' | 'vault'
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

type CapturesTable = {
  id: string
  order_id: number
  wallet_order_id: string
  status: string
  amount: number
  currency: string
  environment: string
  fee: number | null
  captured_at: Date
}

/** Append-only by a trigger: rows are never changed nor deleted. */
type LedgerTable = {
  order_id: ColumnType<number, number, never>
  seq: ColumnType<number, number, never>
  at: ColumnType<Date, Date, never>
  kind: ColumnType<string, string, never>
  data: ColumnType<Record<string, unknown>, object, never>
  previous: ColumnType<string, string, never>
  hash: ColumnType<string, string, never>
}

type WebhookEventsTable = {
  id: string
  type: string
  transmission_id: Generated<string>
  body: string
  received_at: Date
  processed_at: Date | null
  outcome: string | null
}

type IdempotencyKeysTable = {
  scope: string
  key: string
  body_hash: string
  status: number | null
  headers: ColumnType<Record<string, string>, Record<string, string> | undefined, Record<string, string>>
  body: string | null
  created_at: Date
  expires_at: Date
}

type SentMailTable = {
  message_id: string
  order_id: number | null
  kind: string
  recipient: string
  sent_at: Date | null
}
