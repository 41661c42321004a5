/**
 * Scheme, slashes, user and port are left out. An `@` after the host belongs to the path: `https://medium.com/@name`.
 */
const shape = /^([^:/?#.]+:)?(\/\/)?([^/?#]*@)?(\[.*?\]|[^:/?#]*)(:\d*)?([^?#]*)\??([^#]*)/

type Parts = readonly [unknown, unknown, unknown, unknown, string, unknown, string, string]

/**
 * Splits a URL by its text alone: nothing is decoded, lower-cased or rejected, since any text may be passed.
 * @returns host, path and query
 */
export function addressParts(address: string): readonly [host: string, path: string, query: string] {
  // Proof of the cast: each part is optional, so that any text matches, and these three always exist, possibly empty.
  const [, , , , host, , path, query] = shape.exec(address) as unknown as Parts
  return [host, path, query]
}

/** Returns the host as a source name: without the first `www.`. */
export const withoutWww = (host: string): string => host.replace('www.', '')

/** Truthy if a host is a domain or a subdomain of it. An undefined domain matches nothing. */
export const isWithin = (host: string, domain: string | undefined): boolean | string | undefined =>
  domain && `.${host}`.toLowerCase().endsWith(`.${domain}`.toLowerCase())

/**
 * Returns the value of a query parameter. Neither is decoded; of `a=b=c` the value is `b`; a name without `=` has none,
 * which differs from an empty one; repeated values are joined by commas.
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
