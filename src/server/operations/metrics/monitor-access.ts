import { sameText } from '../../http/security/nonce.ts'
import type { Visit } from '../../http/visit.ts'

/**
 * Returns null for a monitor that may read metrics, otherwise the status of the rejection. A monitor authenticates by
 * `METRICS_TOKEN`, from any address. Without a token, metrics are closed: an address proves nothing, because proxies
 * and other programs of the private network have private addresses as well.
 */
export function refusedMonitor({ app, request }: Visit): 401 | 403 | null {
  if (app.metricsToken === null) return 403
  const shown = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  return sameText(shown, app.metricsToken) ? null : 401
}
