/** Scheme, slashes, user and port are left out. An `@` after the host belongs to the path: `https://medium.com/@name`. */
const shape = /^(?:[^:/?#.]+:)?(?:\/\/)?(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)(?::\d*)?([^?#]*)(?:\?([^#]*))?/

/**
 * An address taken apart by its text alone: nothing is decoded, lower-cased or refused, since any text may come as one.
 * @returns host, path and query
 */
export function addressParts(address: string): readonly [host: string, path: string, query: string] {
  const [, host = '', path = '', query = ''] = shape.exec(address) ?? []
  return [host, path, query]
}

/** The host as sources are named: without the first `www.`. */
export const withoutWww = (host: string): string => host.replace('www.', '')

/** Whether a host is a domain or lies below it. Nothing is or lies below no domain. */
export const isWithin = (host: string, domain: string | undefined): boolean =>
  Boolean(domain) && `.${host}`.toLowerCase().endsWith(`.${domain}`.toLowerCase())

/**
 * The value of a query's name. Neither is decoded; of `a=b=c` the value is `b`; a name without `=` has none, which is not the
 * same as an empty one; what is there several times is joined by commas.
 */
export const queryValue = (query: string, name: string | undefined): string | undefined =>
  query
    .split('&')
    .map((piece) => piece.split('='))
    .filter((piece) => name && piece[0] === name)
    .reduce<string | undefined>(
      (before, [, value]) => (before === undefined ? value : [before, value].join()),
      undefined,
    )
