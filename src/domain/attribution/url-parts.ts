/** Scheme, slashes, user and port are left out. An `@` after the host belongs to the path: `https://medium.com/@name`. */
const shape = /^([^:/?#.]+:)?(\/\/)?([^/?#]*@)?(\[.*?\]|[^:/?#]*)(:\d*)?([^?#]*)\??([^#]*)/

type Parts = readonly [unknown, unknown, unknown, unknown, string, unknown, string, string]

/**
 * An address taken apart by its text alone: nothing is decoded, lower-cased or refused, since any text may come as one.
 * @returns host, path and query
 */
export function addressParts(address: string): readonly [host: string, path: string, query: string] {
  // Proof of the cast: each part may be missing, so that any text has this shape, and these three are there, perhaps empty.
  const [, , , , host, , path, query] = shape.exec(address) as unknown as Parts
  return [host, path, query]
}

/** The host as sources are named: without the first `www.`. */
export const withoutWww = (host: string): string => host.replace('www.', '')

/** Something where a host is a domain or lies below it. Nothing is or lies below no domain. */
export const isWithin = (host: string, domain: string | undefined): boolean | string | undefined =>
  domain && `.${host}`.toLowerCase().endsWith(`.${domain}`.toLowerCase())

/**
 * The value of a query's name. Neither is decoded; of `a=b=c` the value is `b`; a name without `=` has none, which is not the
 * same as an empty one; what is there several times is joined by commas.
 */
export const queryValue = (query: string, name: string | undefined): string | undefined =>
  query
    .split('&')
    .map((piece) => piece.split('='))
    .reduce<string | undefined>(
      (before, [key, value]) =>
        name && key === name ? (before === undefined ? value : [before, value].join()) : before,
      undefined,
    )
