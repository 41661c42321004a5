import { mayActAs } from '#domain/customers/roles.ts'
import type { Visit } from '../http/visit.ts'

/** @returns the customer id of who may correct translations; null: this one may not */
export async function translatorId(visit: Visit): Promise<number | null> {
  if (!visit.hasSessionCookie) return null
  const { customerId, role } = await visit.session()
  return customerId !== null && role !== null && mayActAs(role, 'translator') ? customerId : null
}

/** For who may not: says no more than that. */
export function noTranslator(): Response {
  return Response.json({ ok: false, reason: 'not-allowed' }, { status: 403 })
}
