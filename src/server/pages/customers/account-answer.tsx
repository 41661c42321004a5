import type { ReactElement } from 'react'
import { urls } from '#contract/shared/urls.ts'
import { cleanEmail } from '#domain/customers/email-identity.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { isFromShop } from '../../http/security/origin-check.ts'
import type { Visit } from '../../http/visit.ts'
import { privatePage } from '../shared/page-answer.tsx'

export const logOutAction = 'customer-logout'

/** A form that another site has sent: nothing is read of it. */
export function isForeign(visit: Visit): boolean {
  return visit.request.method === 'POST' && !isFromShop(visit)
}

export function foreignForm(): Response {
  return new Response('Foreign form', { status: 403, headers: { 'Cache-Control': 'no-store' } })
}

/** A page of the account: nobody keeps it, nobody indexes it. `notices` are said at once, besides those that wait. */
export async function accountAnswer(
  visit: Visit,
  page: { title: string; element: ReactElement; status?: number; notices?: readonly NoticeFacts[] },
): Promise<Response> {
  return privatePage(visit, {
    kind: 'account',
    script: 'account',
    robots: 'noindex',
    canonical: urls.account(),
    ...page,
  })
}

/** A posted text, trimmed and cut; '' for anything else. */
export function postedText(fields: Readonly<Record<string, unknown>>, name: string): string {
  return postedSecret(fields, name).trim().slice(0, 254)
}

/** A posted email address. One too long to be one is cut where it is still too long, and not to somebody else's. */
export function postedEmail(fields: Readonly<Record<string, unknown>>, name: string): string {
  return cleanEmail(postedSecret(fields, name))
}

/** A posted password, as it was typed. One too long to be one is cut where it is still too long. */
export function postedSecret(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value.slice(0, 600) : ''
}
