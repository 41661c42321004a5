import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable, Updateable } from 'kysely'
import type {
  DisputesTable,
  DownloadPermissionsTable,
  RefundItemsTable,
  RefundsTable,
  SalesNewsTable,
  SentMailTable,
} from './after-sales.ts'
import type { ApiKeysTable, ApiNoncesTable } from './api-keys.ts'
import type { BrandsTable, ProductBrandsTable, ReviewsTable, ShippingClassesTable } from './catalog-terms.ts'
import type { CurrencyRatesTable } from './currency.ts'
import type { MigrationItemsTable, MigrationProgressTable } from './migrations.ts'
import type {
  CouponUsesTable,
  LedgerTable,
  OrderItemsTable,
  OrderNotesTable,
  OrdersTable,
  StockReservationsTable,
  TermsVersionsTable,
  WebhookEventsTable,
} from './orders.ts'
import type {
  AuthorizationsTable,
  CapturesTable,
  PaymentAttemptsTable,
  SetupTokensTable,
  VaultCustomersTable,
  WalletOrdersTable,
} from './payments.ts'
import type {
  StatCountTable,
  StatExcludedTable,
  StatOnlineTable,
  StatSaltTable,
  StatSeenTable,
  StatVisitTable,
} from './statistics.ts'
import type {
  TranslationHistoryTable,
  TranslationOriginalsTable,
  TranslationQueueTable,
  TranslationSeedsTable,
  TranslationSpendingTable,
  TranslationsTable,
} from './translation.ts'
import type {
  AccessLogTable,
  CustomerMetaTable,
  CustomersTable,
  IdempotencyKeysTable,
  PaymentTokensTable,
  RateLimitsTable,
  RecoveryCodesTable,
  SecondFactorsTable,
  SessionsTable,
} from './visitors.ts'
import type { WebhookDeliveriesTable, WebhooksTable } from './webhooks.ts'

/**
 * The tables as Kysely sees them. `connect.ts` sets the driver's types: bigint and numeric are safe numbers,
 * timestamptz is a Date, jsonb is parsed. Money columns are whole minor units.
 */
export type Schema = {
  settings: SettingsTable
  shop_mark: ShopMarkTable
  images: ImagesTable
  products: ProductsTable
  categories: CategoriesTable
  product_categories: ProductCategoriesTable
  catalog_changes: CatalogChangesTable
  tags: TagsTable
  product_tags: ProductTagsTable
  attributes: AttributesTable
  attribute_terms: AttributeTermsTable
  product_attributes: ProductAttributesTable
  variation_attributes: VariationAttributesTable
  product_images: ProductImagesTable
  product_links: ProductLinksTable
  brands: BrandsTable
  product_brands: ProductBrandsTable
  shipping_classes: ShippingClassesTable
  reviews: ReviewsTable
  product_link_names: ProductLinkNamesTable
  stock_movements: StockMovementsTable
  sales_news: SalesNewsTable
  terms_versions: TermsVersionsTable
  tax_rates: TaxRatesTable
  shipping_zones: ShippingZonesTable
  shipping_methods: ShippingMethodsTable
  coupons: CouponsTable
  sessions: SessionsTable
  customers: CustomersTable
  customer_meta: CustomerMetaTable
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  rate_limits: RateLimitsTable
  payment_tokens: PaymentTokensTable
  access_log: AccessLogTable
  orders: OrdersTable
  order_items: OrderItemsTable
  order_notes: OrderNotesTable
  stock_reservations: StockReservationsTable
  coupon_uses: CouponUsesTable
  wallet_orders: WalletOrdersTable
  vault_customers: VaultCustomersTable
  setup_tokens: SetupTokensTable
  payment_attempts: PaymentAttemptsTable
  captures: CapturesTable
  authorizations: AuthorizationsTable
  refunds: RefundsTable
  refund_items: RefundItemsTable
  disputes: DisputesTable
  download_permissions: DownloadPermissionsTable
  ledger: LedgerTable
  webhook_events: WebhookEventsTable
  idempotency_keys: IdempotencyKeysTable
  sent_mail: SentMailTable
  translation_originals: TranslationOriginalsTable
  translations: TranslationsTable
  translation_history: TranslationHistoryTable
  translation_queue: TranslationQueueTable
  translation_spending: TranslationSpendingTable
  translation_seeds: TranslationSeedsTable
  stat_salt: StatSaltTable
  stat_visit: StatVisitTable
  stat_seen: StatSeenTable
  stat_online: StatOnlineTable
  stat_count: StatCountTable
  stat_excluded: StatExcludedTable
  currency_rates: CurrencyRatesTable
  api_keys: ApiKeysTable
  api_nonces: ApiNoncesTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
  migration_items: MigrationItemsTable
  migration_progress: MigrationProgressTable
}

/** Any value that JSON can represent. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

/** A jsonb object of unknown members: parse it with its schema before use; any object may be written. */
export type JsonObject = ColumnType<Record<string, unknown>, object, object>
export type DefaultedJsonObject = ColumnType<Record<string, unknown>, object | undefined, object>

/** One row as it is read, inserted and updated: `Row<'orders'>`. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>
export type RowChange<Table extends keyof Schema> = Updateable<Schema[Table]>

// Catalog

type SettingsTable = {
  key: string
  value: ColumnType<Json, Json | object, Json | object>
  updated_at: Generated<Date>
}

type ShopMarkTable = { singleton: Generated<true>; mark: Generated<string> }

type ImagesTable = {
  id: GeneratedAlways<number>
  hash: string
  source: string
  width: number
  height: number
  alt: Generated<string>
  placeholder: Generated<string>
  widths: number[]
  sizes: Generated<ImageSizes>
}

/** Which files of a picture are on disk; migration 0027 says what each means. */
export type ImageSizes = 'first' | 'made' | 'all'

/** A file to download: where it is, as a path below the folder of downloads or as a web address. */
export type DownloadRow = { id: string; name: string; url: string }

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
  keeps_method: Generated<boolean>
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
  /** The product's ID in the imported file of another shop. */
  imported_id: number | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
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

type CatalogChangesTable = { version: number; product_id: number | null }

type TagsTable = { id: Generated<number>; name: string; slug: string; description: Generated<string> }

type ProductTagsTable = { product_id: number; tag_id: number }

type AttributesTable = {
  id: Generated<number>
  name: string
  slug: string
  sort_order: Generated<'menu_order' | 'name' | 'name_num' | 'id'>
}

type AttributeTermsTable = {
  id: Generated<number>
  attribute_id: number
  name: string
  slug: string
  description: Generated<string>
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

type ProductLinkNamesTable = {
  product_id: number
  kind: 'grouped' | 'upsell' | 'crosssell'
  position: number
  /** An SKU, or `id:` and the ID in the file of another shop. */
  name: string
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
  description: Generated<string>
  status: Generated<'publish' | 'draft' | 'pending' | 'private'>
  meta_data: DefaultedJsonObject
  created_at: Generated<Date>
  updated_at: Generated<Date>
  trashed_at: Date | null
}
