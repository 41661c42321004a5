import { restPlace } from '#contract/shared/rest.ts'
import { type Call, namespaceOf } from '../calls/shared/define-call.ts'

/** A route as the platform's clients read it. What a route takes is told to those who may ask it, by its own page. */
export type ListedRoute = {
  namespace: string
  methods: string[]
  endpoints: { methods: string[]; args: Record<string, never> }[]
  /** Of routes that are one address alone. */
  _links?: { self: { href: string }[] }
}

/** Namespaces of which programs are told, and what stands in their addresses for a number or name. */
const namespaces: ReadonlyMap<string, string> = new Map([
  ['wc/v3', '[\\d]+'],
  ['wp/v2', '[\\d]+'],
  ['wc-ppcp/v1', '[\\w-]+'],
  ['vitrine/v1', '[\\w-]+'],
])

export const listedNamespaces: readonly string[] = [...namespaces.keys()]

/**
 * The routes of the interface by their patterns, `/wc/v3/orders/(?P<id>[\d]+)`. Those by which the payment provider calls are
 * its own, and what the shop's pages alone speak with is left out as well.
 * @param publicUrl of the shop, without a slash at its end
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

/** Where the interface begins, with a slash at its end. */
export const rootUrl = (publicUrl: string): string => publicUrl + restPlace.root

/** By which a page leads programs to the interface (RFC 8288; the relation is the platform's). */
export const discoveryLink = (publicUrl: string): string => `<${rootUrl(publicUrl)}>; rel="https://api.w.org/"`

/** The same to everybody, and nobody's: kept for a while, so that a client may ask before each call. */
export const indexHeaders = { 'Cache-Control': 'public, max-age=300' }
