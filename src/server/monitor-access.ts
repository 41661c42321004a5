import { isPublicAddress } from '#shop/public-address.ts'
import { sameText } from './nonce.ts'
import type { Visit } from './visit.ts'

/** What proxies write. Whatever carries one of them came through one, and so from a visitor. */
const passedOn = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'via'] as const

/**
 * Whether somebody may read more of how the shop is than that it lives. With `METRICS_TOKEN`: who shows it, from wherever.
 * Without: who asks directly, from the machine or a private network, by the address of the connection itself.
 * @returns null for who may, else the status of the refusal
 */
export function refusedMonitor({ app, request, ip }: Visit): 401 | 403 | null {
  const { headers } = request
  if (app.metricsToken !== null) {
    const shown = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
    return sameText(shown, app.metricsToken) ? null : 401
  }
  // Without any header of a proxy the visit's address is that of the connection.
  const direct = !passedOn.some((name) => headers.has(name))
  return direct && !isPublicAddress(ip.replace(/^::ffff:(?=[\d.]+$)/i, '')) ? null : 403
}
