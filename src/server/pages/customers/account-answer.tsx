import type { ReactElement } from 'react'
import { urls } from '#contract/shared/urls.ts'
import { cleanEmail } from '#domain/customers/email-identity.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { isFromShop } from '../../http/security/origin-check.ts'
import type { Visit } from '../../http/visit.ts'
import { privatePage } from '../shared/page-answer.tsx'

export const logOutAction = 'customer-logout'

/** Detects a form posted by another site; its body is not read. */
export function isCrossSiteForm(visit: Visit): boolean {
  return visit.request.method === 'POST' && !isFromShop(visit)
}

export function foreignForm(): Response {
  return new Response('Foreign form', { status: 403, headers: { 'Cache-Control': 'no-store' } })
}

/** Answers with a page of the account, neither cached nor indexed. `notices` are shown at once, beside queued ones. */
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

/** Returns a posted text, trimmed and cut; '' for anything else. */
export function postedText(fields: Readonly<Record<string, unknown>>, name: string): string {
  return postedSecret(fields, name).trim().slice(0, 254)
}

/**
 * Returns a posted email address. An overlong one is cut to a length that is still invalid, never to another valid
 * address.
 */
export function postedEmail(fields: Readonly<Record<string, unknown>>, name: string): string {
  return cleanEmail(postedSecret(fields, name))
}

/** Returns a posted password unchanged. An overlong one is cut to a length that is still invalid. */
export function postedSecret(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value.slice(0, 600) : ''
}
