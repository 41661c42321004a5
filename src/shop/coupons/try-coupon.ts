import type { VisitSession } from '../customers/sessions/visit-session.ts'
import { limitGuesses, waitBefore } from '../shared/limit-attempts.ts'
import type { Tools } from '../shared/tools.ts'
import { applyCoupon, type CouponResult } from './apply-coupon.ts'

/** `too-many`: too many wrong codes from this session or network. No code is checked before the wait is over. */
export type TriedCoupon = CouponResult | { ok: false; reason: 'too-many'; waitMs: number }

/** Applies a coupon code that a visitor typed. Unknown codes count towards the rate limit, like wrong passwords. */
export async function tryCoupon(
  tools: Tools,
  session: VisitSession,
  { typed, billingEmail = '', ip }: { typed: string; billingEmail?: string | undefined; ip: string },
): Promise<{ session: VisitSession; result: TriedCoupon }> {
  const who = { subject: session.id, ip }
  const waitMs = await waitBefore(tools, 'coupon', who)
  if (waitMs > 0) return { session, result: { ok: false, reason: 'too-many', waitMs } }
  const tried = await applyCoupon(tools, session, typed, billingEmail)
  if (tried.result.ok || tried.result.reason !== 'unknown') return tried
  const tries = await limitGuesses(tools, 'coupon', who)
  return tries.ok ? tried : { session, result: { ok: false, reason: 'too-many', waitMs: tries.waitMs } }
}
