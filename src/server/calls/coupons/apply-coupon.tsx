import { applyCouponInput } from '#contract/cart/messages.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { type AppliedCoupon, applyCouponFromCache } from '#shop/coupons/apply-coupon.ts'
import type { TriedCoupon } from '#shop/coupons/try-coupon.ts'
import { renderPart } from '#web/pages/shared/render.tsx'
import { Notices } from '#web/parts/notices/notices.tsx'
import { applyPostedCoupon } from '../../coupons/apply-coupon.ts'
import { couponNotice } from '../../coupons/coupon-notices.ts'
import type { Visit } from '../../http/visit.ts'
import { defineCall } from '../shared/define-call.ts'

/** `apply_coupon`: applies a code from the cart or checkout page; returns notices. */
export const applyCouponCall = defineCall({
  name: 'apply_coupon',
  door: 'wc-ajax',
  method: 'POST',
  input: applyCouponInput,
  output: 'html',
  identity: 'own-session',
  idempotency: 'natural',
  load: 'cart',
  cache: 'private-no-store',
  forgery: { nonce: 'apply-coupon', field: 'security' },
  async answerFromSessionCache(visit, { coupon_code, billing_email }, session) {
    const typed = { typed: coupon_code, billingEmail: billing_email, ip: visit.ip }
    const draw = (applied: AppliedCoupon) => drawn(visit, coupon_code, applied)
    const done = await applyCouponFromCache(visit.app.tools, session, typed, draw)
    if (!done) return null
    visit.adopt(done.session)
    return htmlAnswer(done.made)
  },
  async answer(visit, { coupon_code, billing_email }) {
    const result = await applyPostedCoupon(visit, coupon_code, billing_email)
    return htmlAnswer(await drawn(visit, coupon_code, result, await visit.takeOwnNotices()))
  },
})

async function drawn(
  visit: Visit,
  typed: string,
  result: TriedCoupon,
  before: readonly NoticeFacts[] = [],
): Promise<string> {
  const shop = await visit.app.shop()
  return renderPart(shop, <Notices notices={[...before, ...couponNotice(shop, typed, result)]} />)
}

const htmlAnswer = (html: string) => new Response(html, { headers: { 'Content-Type': 'text/html; charset=UTF-8' } })
