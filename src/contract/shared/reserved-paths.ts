/** The shop's own pages with further path parts of its own: `/checkout/order-received/7/`. */
export const pagesWithEndpoints: ReadonlySet<string> = new Set(['shop', 'cart', 'checkout', 'my-account'])

/** First path parts of the shop's own pages, which each language may translate. */
export const basePaths: ReadonlySet<string> = new Set([
  ...pagesWithEndpoints,
  'product',
  'product-category',
  'product-tag',
])

/** Further path parts of the shop's own pages. They are translated by the same list of words as the bases. */
export const endpointPaths: ReadonlySet<string> = new Set([
  'page',
  'wallet-start',
  'wallet-return',
  'wallet-cancel',
  'order-received',
  'order-pay',
  'orders',
  'view-order',
  'downloads',
  'edit-address',
  'billing',
  'shipping',
  'edit-account',
  'confirm-email',
  'payment-methods',
  'add-payment-method',
  'delete-payment-method',
  'set-default-payment-method',
  'privacy',
  'second-factor',
  'lost-password',
  'customer-logout',
])

/** Served without a language: files, and data for programs. */
export const unlocalizedPaths = ['assets', 'media', 'cards', 'theme', 'healthz', 'readyz', 'metrics', '__'] as const

/** Called by programs, or separate applications. */
const programPaths: ReadonlySet<string> = new Set([
  ...unlocalizedPaths,
  'address-data',
  'api',
  'currency',
  'desk',
  'download',
  'feed',
  'pay',
  'search-suggestions',
  'statistics',
  'translate',
  'wc-ajax',
  'wc-api',
  'wc-auth',
])

/** @returns the kind of page that the shop itself serves under a first path part, in any language; null: none */
export function reservedPath(part: string): 'base' | 'program' | 'file' | null {
  const name = part.normalize('NFC').toLowerCase()
  if (basePaths.has(name)) return 'base'
  if (programPaths.has(name) || name.startsWith('wp-')) return 'program'
  return /\.[a-z0-9]+$/.test(name) ? 'file' : null
}
