const root = '/wp-json/'

/** What stands in the query where a server in front of the platform rewrites no addresses. */
const routeParameter = 'rest_route'

/** What routes are made of. Anything else, such as dots that would lead out of the interface, names none. */
const isRoute = /^[\w/-]*$/
const nowhere = `${root}-`

/**
 * The path of what a request asks of the REST interface, in the one form that the routes have: clients write it with a slash at its
 * end as well, or as `/?rest_route=/wc/v3/orders`. Null: it stands in that form, or is no address of the interface.
 * @param query of the address, with or without its question mark
 */
export function plainRestPath(path: string, query: string): string | null {
  if (path.startsWith(root)) return path.endsWith('/') ? withoutSlash(path) : null
  if ((path !== '/' && path !== '/index.php') || !query.includes(routeParameter)) return null
  const route = new URLSearchParams(query).get(routeParameter)
  // Without a value it is the start page all the same.
  if (!route) return null
  return isRoute.test(route) ? withoutSlash(root + route.replace(/^\/+/, '')) : nowhere
}

function withoutSlash(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
