import { mayActAs, type Role } from '#domain/customers/roles.ts'
import { recordDenial } from '../../http/security/log-denied-access.ts'
import type { Visit } from '../../http/visit.ts'
import { errorPage } from '../shared/error-page.tsx'
import { customerPage, type Owner, showFactorFirst } from './customer-page.ts'

/**
 * Wraps a page or form of the staff. Anonymous visitors are asked to log in, staff without a second factor to enter it
 * or set one up. For a customer without the role the page does not exist, and the attempt is recorded.
 */
export function requireRole(
  needed: Exclude<Role, 'customer'>,
  answer: (visit: Visit, owner: Owner, params: Record<string, string>) => Promise<Response>,
) {
  return customerPage(async (visit, owner, params) => {
    const { role } = await visit.session()
    if (role !== null && mayActAs(role, needed)) return answer(visit, owner, params)
    if (mayActAs(owner.customer.role, needed)) return showFactorFirst(visit)
    visit.refuse('role', needed)
    await recordDenial(visit, `page:${visit.url.pathname}`)
    return errorPage(visit, 404)
  })
}
