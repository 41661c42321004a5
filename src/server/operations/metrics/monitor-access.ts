import { sameText } from '../../http/security/nonce.ts'
import type { Visit } from '../../http/visit.ts'

/**
 * Returns null for a monitor that may read more of how the shop is than that it lives, else the status of the refusal. A monitor
 * shows `METRICS_TOKEN`, from wherever it asks. A shop without one is closed: an address tells nothing of who asks, since what
 * shares a private network with the shop, or forwards requests to it, has such an address as well.
 */
export function refusedMonitor({ app, request }: Visit): 401 | 403 | null {
  if (app.metricsToken === null) return 403
  const shown = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  return sameText(shown, app.metricsToken) ? null : 401
}
