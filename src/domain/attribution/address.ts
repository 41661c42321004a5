/** An address taken apart by its text alone: nothing is decoded, lower-cased or refused, since any text may come as one. */
export type Address = { readonly host: string; readonly path: string; readonly query: string }

/** Scheme, slashes, user and port are left out. An `@` after the host belongs to the path: `https://medium.com/@name`. */
const shape = /^(?:[^:/?#.]+:)?(?:\/\/)?(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)(?::\d*)?([^?#]*)(?:\?([^#]*))?/

export function addressOf(text: string): Address {
  const [, host = '', path = '', query = ''] = shape.exec(text) ?? []
  return { host, path, query }
}

/** The host as sources are named: without the first `www.`. */
export const withoutWww = (host: string): string => host.replace('www.', '')

/** Whether a host is a domain or lies below it. */
export function isWithin(host: string, domain: string): boolean {
  const name = host.toLowerCase()
  const above = domain.toLowerCase()
  return name === above || name.endsWith(`.${above}`)
}

/**
 * The values of a query by name. Neither is decoded; of `a=b=c` the value is `b`; a name without `=` has none, which is not the
 * same as an empty one; what is there several times is joined by commas.
 */
export function queryValues(query: string): ReadonlyMap<string, string | undefined> {
  const values = new Map<string, string | undefined>()
  for (const piece of query.split('&')) {
    const [name = '', value] = piece.split('=')
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before},${value ?? ''}`)
  }
  return values
}
