import { SourceError } from './source-error.ts'

/** The place of another shop. */
export type SourceLocation = {
  /** The shop's address without a trailing slash: `https://old.example/shop`. */
  readonly root: string
  readonly origin: string
  /** Host and path, by which a repeated migration recognizes the shop: `old.example/shop`. */
  readonly name: string
  /** True for an address of this machine. */
  readonly loopback: boolean
}

/**
 * Parses the address of another shop, as a merchant types it. Without a scheme it is https.
 * @throws SourceError
 */
export function sourceAddress(typed: string, insecureHttp: boolean): SourceLocation {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed.trim()) ? typed.trim() : `https://${typed.trim()}`)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new SourceError(`"${typed}" is not the address of a shop. Example: https://old.example`)
  }
  if (url.username || url.password) throw new SourceError('the address contains a password. Leave it out.')
  const loopback = isLoopback(url.hostname)
  if (url.protocol === 'http:' && !loopback && !insecureHttp) {
    throw new SourceError(
      `${url.host} would be read over plain http, which others can read and change. Use https, or add --insecure-http.`,
    )
  }
  const path = url.pathname.replace(/\/wp-json(\/.*)?$/, '').replace(/\/+$/, '')
  return { root: `${url.origin}${path}`, origin: url.origin, name: `${url.host}${path}`, loopback }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
