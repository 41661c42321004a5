/**
 * Distribution of each table for a PostgreSQL sharded over several servers (Citus and similar): the distribution
 * column, chosen so that the rows of a transaction are on one server; `copied` for reference tables on every server;
 * `one` for tables on a single server. docs/guides/growth.md describes the requirements for the schema.
 */
export type Place = { readonly by: string; readonly with?: 'orders' | 'visitors' } | 'copied' | 'one'

const order: Place = { by: 'order_id', with: 'orders' }

export const distribution: Readonly<Record<string, Place>> = {
  // An order and all rows written with it: one transaction, one server.
  orders: { by: 'id', with: 'orders' },
  order_items: order,
  order_notes: order,
  ledger: order,
  payment_attempts: order,
  wallet_orders: order,
  captures: order,
  authorizations: order,
  refunds: order,
  disputes: order,
  coupon_uses: order,
  download_permissions: order,
  stock_reservations: order,
  sent_mail: order,

  // The data of one visitor.
  sessions: { by: 'id', with: 'visitors' },
  setup_tokens: { by: 'session_id', with: 'visitors' },

  // Many small independent rows.
  idempotency_keys: { by: 'scope' },
  rate_limits: { by: 'bucket' },
  webhook_events: { by: 'id' },
  stat_visit: { by: 'vid' },
  stat_seen: { by: 'vid' },
  stat_online: { by: 'vid' },

  // Read by all requests, changed by staff only.
  settings: 'copied',
  shop_mark: 'copied',
  images: 'copied',
  products: 'copied',
  categories: 'copied',
  product_categories: 'copied',
  tags: 'copied',
  product_tags: 'copied',
  attributes: 'copied',
  attribute_terms: 'copied',
  product_attributes: 'copied',
  variation_attributes: 'copied',
  product_images: 'copied',
  product_links: 'copied',
  brands: 'copied',
  product_brands: 'copied',
  shipping_classes: 'copied',
  product_link_names: 'copied',
  tax_rates: 'copied',
  shipping_zones: 'copied',
  shipping_methods: 'copied',
  coupons: 'copied',
  currency_rates: 'copied',
  translation_originals: 'copied',
  translations: 'copied',

  // Few rows, or values that must be unique in the whole shop.
  customers: 'one',
  customer_meta: 'one',
  payment_tokens: 'one',
  vault_customers: 'one',
  second_factors: 'one',
  recovery_codes: 'one',
  api_keys: 'one',
  api_nonces: 'one',
  webhooks: 'one',
  webhook_deliveries: 'one',
  access_log: 'one',
  migration_items: 'one',
  migration_progress: 'one',
  reviews: 'one',
  terms_versions: 'one',
  catalog_changes: 'one',
  sales_news: 'one',
  stock_movements: 'one',
  refund_items: 'one',
  stat_count: 'one',
  stat_excluded: 'one',
  stat_salt: 'one',
  translation_history: 'one',
  translation_queue: 'one',
  translation_seeds: 'one',
  translation_spending: 'one',
  schema_migrations: 'one',
}

/**
 * Unique constraints without the distribution column, and why duplicates cannot arise on two servers: a server enforces
 * uniqueness only within itself.
 */
export const uniqueElsewhere: Readonly<Record<string, string>> = {
  'orders (key)': '22 characters at random',
  'orders (session_id, intention)':
    'who places an order holds the lock of its session, and looks for the intention first',
  'order_items (id)': 'a sequence of the whole shop',
  'order_notes (id)': 'a sequence of the whole shop',
  'payment_attempts (id)': 'a sequence of the whole shop',
  'payment_attempts (request_id)': 'the number of the order is in it',
  'wallet_orders (id)': 'made by the provider, for one order',
  'captures (id)': 'made by the provider, for one wallet order',
  'authorizations (id)': 'made by the provider, for one wallet order',
  'refunds (id)': 'a sequence of the whole shop',
  'refunds (provider_id)': 'made by the provider, for one capture',
  'disputes (id)': 'made by the provider; one of several orders is written for each',
  'download_permissions (id)': 'a sequence of the whole shop',
  'download_permissions (token)': 'at random',
  'sent_mail (message_id)': 'the number of the order is in it',
  'setup_tokens (request_id)': 'at random',
  'setup_tokens (id)': 'made by the provider',
}
