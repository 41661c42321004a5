import { isIP } from 'node:net'
import { isPublicAddress } from '#shop/shared/public-address.ts'
import type { Application } from '../../operations/startup/application.ts'

/**
 * Says once that a proxy of the operator's own stands in front which the shop was not told of: to its limits all visitors are one
 * then, and whoever tries passwords shuts everybody out. Strangers may send the header as well, so the connection's own address
 * has to be of this machine or a private network.
 */
export function unknownProxy({
  tools,
  trustedProxies,
}: {
  readonly tools: Pick<Application['tools'], 'log'>
  readonly trustedProxies: number
}): (request: Request, connectedFrom: string) => void {
  let told = trustedProxies > 0
  return (request, connectedFrom) => {
    if (told || !request.headers.has('x-forwarded-for')) return
    const ip = connectedFrom.replace(/^::ffff:(?=[\d.]+$)/i, '')
    if (isIP(ip) === 0 || isPublicAddress(ip)) return
    told = true
    tools.log.warn(
      {},
      'a proxy stands in front, and TRUSTED_PROXIES is 0: limits count all visitors as one. Set it to the number of your proxies',
    )
  }
}
