/** One line about each command, apart from its code, so that the list of commands loads none of it. */
export const summaries = {
  'api-keys': 'Lists, creates and revokes the keys with which other programs read orders.',
  attribution: 'Reports orders and revenue by source, campaign or device.',
  backup: 'Writes the whole shop into one file while it runs.',
  completion: 'Prints a script that completes commands with the Tab key.',
  config: 'Compares shop.config.ts with the shop, and applies it.',
  coupons: 'Lists, creates, changes and removes coupons.',
  currencies: 'Lists currencies and exchange rates, and changes them.',
  customers: 'Lists customers and staff, and changes accounts, roles and logins.',
  database: 'Shows and creates the partitions of large tables.',
  doctor: 'Checks orders, payments and stock, the machine, or the setup for live payments.',
  images: 'Shows how many images still lack sizes, and makes them.',
  import: 'Imports products from a WooCommerce CSV file.',
  jobs: 'Lists failed background jobs, retries and drops them.',
  machine: 'Shows and controls machine translation.',
  mail: 'Lists and previews email templates, and sends single emails.',
  orders: 'Lists orders and changes their status, payments and notes.',
  products: 'Lists products and changes prices, stock and status.',
  restore: 'Restores a backup into an empty database.',
  settings: 'Shows the settings, or changes one.',
  'share-pictures': 'Generates the share images of products and categories.',
  'shipping-zones': 'Lists shipping zones and changes zones and methods.',
  statistics: 'Shows visits, pages and sources.',
  'tax-rates': 'Lists, imports, exports and changes tax rates.',
  translations: 'Lists, changes, imports and exports translations.',
} as const satisfies Readonly<Record<string, string>>

export type CommandName = keyof typeof summaries
