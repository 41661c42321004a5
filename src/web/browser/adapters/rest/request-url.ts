import type { RestMiddleware, RestRequest } from './rest-request.ts'

const trimSlashes = (text: string) => text.replace(/^\/+|\/+$/g, '')

/** Replaces `namespace` and `endpoint` by a `path`. */
export function withPath(request: RestRequest): RestRequest {
  const { namespace, endpoint, ...rest } = request
  if (typeof namespace !== 'string' || typeof endpoint !== 'string') return request
  const last = trimSlashes(endpoint)
  return { ...rest, path: last ? `${trimSlashes(namespace)}/${last}` : trimSlashes(namespace) }
}

export const namespaceEndpoint: RestMiddleware = (request, next) => next(withPath(request))

/** Turns paths into URLs below `root`, which may be a query itself: `/?rest_route=/`. */
export function rootUrl(root: string): RestMiddleware {
  return (request, next) => {
    const found = withPath(request)
    const { path } = found
    if (typeof path !== 'string') return next(found)
    const inQuery = root.includes('?')
    const rest = path.replace(/^\//, '')
    const base = inQuery || root.endsWith('/') ? root : `${root}/`
    return next({ ...found, url: base + (inQuery ? rest.replace('?', '&') : rest) })
  }
}

/** Returns the value of a parameter in a path or URL, or undefined. */
export function parameter(address: string, name: string): string | undefined {
  const { query } = splitUrl(address)
  return new URLSearchParams(query).get(name) ?? undefined
}

/** Adds a parameter to a path or URL, before its fragment. */
export function withParameter(address: string, name: string, value: string): string {
  const { before, query, fragment } = splitUrl(address)
  const added = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  return `${before}?${query ? `${query}&` : ''}${added}${fragment}`
}

/** The three parts of an address, none of them rewritten. */
export function splitUrl(address: string): { before: string; query: string; fragment: string } {
  const at = address.indexOf('#')
  const fragment = at < 0 ? '' : address.slice(at)
  const whole = at < 0 ? address : address.slice(0, at)
  const mark = whole.indexOf('?')
  return { before: mark < 0 ? whole : whole.slice(0, mark), query: mark < 0 ? '' : whole.slice(mark + 1), fragment }
}

/** Requests texts in the language of the logged-in user. */
export const userLocale: RestMiddleware = (request, next) => {
  const spoken = (address: string) =>
    parameter(address, '_locale') === undefined ? withParameter(address, '_locale', 'user') : address
  const { path, url } = request
  return next({
    ...request,
    ...(path === undefined ? {} : { path: spoken(path) }),
    ...(url === undefined ? {} : { url: spoken(url) }),
  })
}
