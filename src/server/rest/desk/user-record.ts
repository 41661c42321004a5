import { restUserAnswer } from '#contract/customers/rest-user.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import { readCustomer } from '#shop/customers/read-account.ts'
import { refuse } from '../../calls/shared/refuse-call.ts'
import type { Visit } from '../../http/visit.ts'

/** Rejects callers other than staff who request their own record. The existence of others is not disclosed. */
export async function refusedForUser(visit: Visit, id: number, code: string, what: string): Promise<Response | null> {
  const { customerId, role } = await visit.session()
  if (customerId === id && role !== null && mayActAs(role, 'shop_manager')) return null
  const status = customerId === null ? 401 : 403
  return refuse({ door: 'rest' }, status, code, `You may not ${what} this user.`)
}

/** Returns the user's own record, with the fields that the shop has. */
export async function userRecord(visit: Visit, id: number, bannerDismissed: boolean): Promise<Response> {
  const customer = await readCustomer(visit.app.tools, id)
  return Response.json(
    restUserAnswer.parse({
      id,
      name: customer?.displayName ?? '',
      slug: customer?.username ?? '',
      woocommerce_meta: { coming_soon_banner_dismissed: bannerDismissed ? 'yes' : 'no' },
    }),
  )
}
