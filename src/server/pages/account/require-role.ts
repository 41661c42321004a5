import { noteAccess } from '#database/access-log.ts'
import { mayActAs, type Role } from '#domain/customers/roles.ts'
import type { Visit } from '../../visit.ts'
import { errorPage } from '../error.tsx'
import { type Owner, ownPage } from './own-page.ts'

/**
 * A page or form of the staff. Strangers are asked to log in; whoever is logged in with less finds nothing there, and the
 * try is written down.
 */
export function requireRole(
  needed: Exclude<Role, 'customer'>,
  answer: (visit: Visit, owner: Owner, params: Record<string, string>) => Promise<Response>,
) {
  return ownPage(async (visit, owner, params) => {
    if (mayActAs(owner.customer.role, needed)) return answer(visit, owner, params)
    const subject = `page:${visit.url.pathname.slice(0, 200)}`
    const who = `customer:${owner.customerId}`
    await noteAccess(visit.app.tools.db.kysely, { at: visit.now, who, action: 'denied', subject })
    return errorPage(visit, 404)
  })
}
