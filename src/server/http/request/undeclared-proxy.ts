import { isIP } from 'node:net'
import { isPublicAddress } from '#shop/shared/public-address.ts'
import type { Application } from '../../operations/startup/application.ts'

/**
 * Logs once that the operator's proxy is not declared. Rate limits then count all visitors as one, so one attacker
 * locks out everybody. Any client may send the header, so the connection must come from this machine or a private
 * network.
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
      'undeclared proxy: TRUSTED_PROXIES is 0, so limits count all visitors as one. Set it to the number of proxies',
    )
  }
}
