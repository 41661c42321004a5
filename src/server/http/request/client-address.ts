import { isIP } from 'node:net'

/**
 * Returns the client's address, by which rate limits count. Proxies append the address that they saw to
 * `X-Forwarded-For`; entries left of our own proxies' are forgeable.
 * @param proxies number of the operator's own proxies
 */
export function clientAddress(socket: string, forwarded: string | null, proxies: number): string {
  if (proxies === 0 || forwarded === null) return socket
  const seen = forwarded.split(',').map((part) => part.trim())
  const address = seen[Math.max(0, seen.length - proxies)] ?? ''
  return isIP(address) > 0 ? address : socket
}
