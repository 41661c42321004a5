import { restPlace } from '#contract/shared/rest.ts'
import { type Call, namespaceOf } from '../calls/shared/define-call.ts'

/**
 * A route in the format of the platform's clients. Its parameters are documented to authorized callers only, by its own
 * address.
 */
export type ListedRoute = {
  namespace: string
  methods: string[]
  endpoints: { methods: string[]; args: Record<string, never> }[]
  /** Only for routes without parameters. */
  _links?: { self: { href: string }[] }
}

/** Public namespaces, and the pattern of a number or name in their paths. */
const namespaces: ReadonlyMap<string, string> = new Map([
  ['wc/v3', '[\\d]+'],
  ['wc/store', '[\\w-]+'],
  ['wc/store/v1', '[\\w-]+'],
  ['wp/v2', '[\\d]+'],
  ['wc-ppcp/v1', '[\\w-]+'],
  ['vitrine/v1', '[\\w-]+'],
])

export const listedNamespaces: readonly string[] = [...namespaces.keys()]

/**
 * Returns the routes of the API by their patterns, `/wc/v3/orders/(?P<id>[\d]+)`. Routes of the payment provider and of
 * the shop's own pages are left out.
 * @param publicUrl without a trailing slash
 */
export function listedRoutes(calls: readonly Call[], publicUrl: string): Record<string, ListedRoute> {
  const routes: Record<string, ListedRoute> = { '/': routeOf('', ['GET'], publicUrl, '/') }
  for (const namespace of listedNamespaces) {
    const own = `/${namespace}`
    routes[own] = routeOf(namespace, ['GET'], publicUrl, own)
    for (const { name, method, alsoMethods = [], ...call } of calls) {
      const isOurs = call.door === 'rest' && namespaceOf(call) === namespace
      if (!isOurs || call.identity.startsWith('provider-')) continue
      const pattern = `${own}/${name.replace(/:(\w+)/g, `(?P<$1>${namespaces.get(namespace)})`)}`
      const methods = [...(routes[pattern]?.methods ?? []), method, ...alsoMethods]
      routes[pattern] = routeOf(namespace, methods, publicUrl, pattern)
    }
  }
  return routes
}

function routeOf(namespace: string, methods: string[], publicUrl: string, pattern: string): ListedRoute {
  const self = pattern.includes('(') ? {} : { _links: { self: [{ href: rootUrl(publicUrl) + pattern.slice(1) }] } }
  return { namespace, methods, endpoints: methods.map((method) => ({ methods: [method], args: {} })), ...self }
}

/** Returns the root of the API, with a trailing slash. */
export const rootUrl = (publicUrl: string): string => publicUrl + restPlace.root

/** Returns the header by which a page announces the API (RFC 8288; the relation is the platform's). */
export const discoveryLink = (publicUrl: string): string => `<${rootUrl(publicUrl)}>; rel="https://api.w.org/"`

/** The same for all callers; cacheable, so that a client may request it before each call. */
export const indexHeaders = { 'Cache-Control': 'public, max-age=300' }
