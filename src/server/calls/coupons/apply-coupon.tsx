import { applyCouponInput } from '#contract/cart/messages.ts'
import { renderPart } from '#web/pages/shared/render.tsx'
import { Notices } from '#web/parts/notices/notices.tsx'
import { applyPostedCoupon } from '../../coupons/apply-coupon.ts'
import { couponNotice } from '../../coupons/coupon-notices.ts'
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
  async answer(visit, { coupon_code, billing_email }) {
    const result = await applyPostedCoupon(visit, coupon_code, billing_email)
    const shop = await visit.app.shop()
    const notices = [...(await visit.takeOwnNotices()), ...couponNotice(shop, coupon_code, result)]
    return new Response(renderPart(shop, <Notices notices={notices} />), {
      headers: { 'Content-Type': 'text/html; charset=UTF-8' },
    })
  },
})
