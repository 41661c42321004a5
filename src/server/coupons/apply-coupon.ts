import { applyCoupon, type TriedCoupon } from '#shop/coupons/apply-coupon.ts'
import type { Visit } from '../http/visit.ts'

/** Applies a posted code to the visitor's cart, for all pages and calls. */
export async function applyPostedCoupon(visit: Visit, typed: string, billingEmail = ''): Promise<TriedCoupon> {
  const { session, result } = await applyCoupon(visit.app.tools, await visit.session(), {
    typed,
    billingEmail,
    ip: visit.ip,
  })
  visit.adopt(session)
  if (!result.ok && result.reason === 'too-many') visit.refuse('tries', 'coupon')
  return result
}
