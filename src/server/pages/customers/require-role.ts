import { mayActAs, type Role } from '#domain/customers/roles.ts'
import { recordDenial } from '../../http/security/log-denied-access.ts'
import type { Visit } from '../../http/visit.ts'
import { errorPage } from '../shared/error-page.tsx'
import { type Owner, ownPage, showFactorFirst } from './customer-page.ts'

/**
 * A page or form of the staff. Strangers are asked to log in, staff who owe a second factor to show it or to set one up; whoever
 * is logged in with less finds nothing there, and the try is written down.
 */
export function requireRole(
  needed: Exclude<Role, 'customer'>,
  answer: (visit: Visit, owner: Owner, params: Record<string, string>) => Promise<Response>,
) {
  return ownPage(async (visit, owner, params) => {
    const { role } = await visit.session()
    if (role !== null && mayActAs(role, needed)) return answer(visit, owner, params)
    if (mayActAs(owner.customer.role, needed)) return showFactorFirst(visit)
    visit.refuse('role', needed)
    await recordDenial(visit, `page:${visit.url.pathname}`)
    return errorPage(visit, 404)
  })
}
