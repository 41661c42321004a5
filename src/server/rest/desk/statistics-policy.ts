import { statisticsNamespace } from '#contract/statistics/dashboard.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import { refuse } from '../../calls/shared/refuse-call.ts'
import type { Visit } from '../../http/visit.ts'
import type { Application } from '../../operations/startup/application.ts'

/** The common declaration of the calls of the statistics page. */
export const dashboardPolicy = {
  namespace: statisticsNamespace,
  door: 'rest',
  method: 'GET',
  output: 'json',
  identity: 'shop-manager',
  idempotency: 'safe',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
} as const

export async function refusedDashboard(visit: Visit): Promise<Response | null> {
  const { customerId, role } = await visit.session()
  if (role !== null && mayActAs(role, 'shop_manager')) return null
  const status = customerId === null ? 401 : 403
  return refuse({ door: 'rest' }, status, 'rest_forbidden', 'Only those who run the shop may read this.')
}

/** The call's own address has no language; an unknown one counts as absent. */
export function dashboardView(app: Application, tag: string | undefined): Application {
  return tag !== undefined && app.languages().some((known) => known.tag === tag) ? app.inLanguage(tag) : app
}
