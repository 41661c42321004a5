import { isIP } from 'node:net'

/**
 * Whose network a request comes from: what our limits count by. Proxies put the address that they saw at the end of
 * `X-Forwarded-For`; what stands further left than our own have written is the visitor's invention.
 * @param proxies how many proxies of our own stand in front of the shop
 */
export function clientAddress(socket: string, forwarded: string | null, proxies: number): string {
  if (proxies === 0 || forwarded === null) return socket
  const seen = forwarded.split(',').map((part) => part.trim())
  const address = seen[Math.max(0, seen.length - proxies)] ?? ''
  return isIP(address) > 0 ? address : socket
}
