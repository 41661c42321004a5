import { pageRoutes } from './routes.ts'

/** What is answered before any page, or kept for what this kind of shop has elsewhere. */
const others = [
  'assets',
  'healthz',
  'media',
  'readyz',
  'theme',
  'wp-admin',
  'wp-content',
  'wp-includes',
  'wp-json',
  'wp-login',
]

/** The first parts of addresses that no page of text may have: `cart`, `product`. */
export const ownAddresses: ReadonlySet<string> = new Set([
  ...others,
  ...pageRoutes.map(({ path }) => path.split('/')[1] ?? '').filter((part) => part !== '' && !part.startsWith(':')),
])
