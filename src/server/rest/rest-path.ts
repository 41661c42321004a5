const root = '/wp-json/'

/** Query parameter of the route, for servers without URL rewriting. */
const routeParameter = 'rest_route'

/** Characters of routes. Others, such as dots for path traversal, match none. */
const isRoute = /^[\w/-]*$/
const nowhere = `${root}-`

/**
 * Returns the canonical path of a REST request. Clients may add a trailing slash, or use `/?rest_route=/wc/v3/orders`.
 * Null: the path is canonical already, or not of the API.
 * @param query of the address, with or without its question mark
 */
export function plainRestPath(path: string, query: string): string | null {
  if (path.startsWith(root)) return path.endsWith('/') ? withoutSlash(path) : null
  if ((path !== '/' && path !== '/index.php') || !query.includes(routeParameter)) return null
  const route = new URLSearchParams(query).get(routeParameter)
  // Without a value it is the front page.
  if (!route) return null
  return isRoute.test(route) ? withoutSlash(root + route.replace(/^\/+/, '')) : nowhere
}

function withoutSlash(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
