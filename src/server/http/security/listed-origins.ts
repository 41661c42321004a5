import { rateLimitHeaders, storeHeaders } from '#contract/cart/store-headers.ts'
import { restHeaders } from '#contract/shared/rest.ts'
import type { Visit } from '../visit.ts'

const exposed = [
  ...Object.values(storeHeaders),
  ...Object.values(rateLimitHeaders),
  restHeaders.total,
  restHeaders.totalPages,
  'Link',
].join(', ')

const accepted = [
  'Content-Type',
  'Authorization',
  'Idempotency-Key',
  storeHeaders.nonce,
  storeHeaders.cartToken,
  restHeaders.nonce,
  restHeaders.methodOverride,
].join(', ')

/** Checks whether the merchant has listed the origin of this request's page. */
export function isAllowedOrigin({ request, app }: Pick<Visit, 'request' | 'app'>): boolean {
  const origin = request.headers.get('origin')
  return origin !== null && app.tools.settings.storeApi.origins.includes(origin)
}

/** Adds the headers by which browsers give the answer to a page of a listed origin, also to its preflight. */
export function allowListedOrigin(visit: Visit, headers: Headers, methods: readonly string[]): void {
  headers.append('Vary', 'Origin')
  if (!isAllowedOrigin(visit)) return
  headers.set('Access-Control-Allow-Origin', visit.request.headers.get('origin') ?? '')
  headers.set('Access-Control-Allow-Credentials', 'true')
  headers.set('Access-Control-Expose-Headers', exposed)
  if (visit.request.method !== 'OPTIONS') return
  headers.set('Access-Control-Allow-Methods', methods.join(', '))
  headers.set('Access-Control-Allow-Headers', accepted)
  headers.set('Access-Control-Max-Age', '600')
}
