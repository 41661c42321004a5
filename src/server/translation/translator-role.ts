import { mayActAs } from '#domain/customers/roles.ts'
import type { Visit } from '../http/visit.ts'

/** @returns the customer id of a translator; null for others */
export async function translatorId(visit: Visit): Promise<number | null> {
  if (!visit.hasSessionCookie) return null
  const { customerId, role } = await visit.session()
  return customerId !== null && role !== null && mayActAs(role, 'translator') ? customerId : null
}

/** Answers a caller without the role, without details. */
export function noTranslator(): Response {
  return Response.json({ ok: false, reason: 'not-allowed' }, { status: 403 })
}
