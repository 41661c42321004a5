import { applyCouponInput } from '#contract/calls/cart.ts'
import { applyCoupon } from '#shop/apply-coupon.ts'
import { renderPart } from '#web/pages/render.tsx'
import { Notices } from '#web/parts/notices.tsx'
import { defineCall } from '../call.ts'
import { couponNotice } from '../coupon-notices.ts'

/** `apply_coupon`: a code typed on the cart or checkout page; answers notices. */
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
    const { session, result } = await applyCoupon(visit.app.tools, await visit.session(), coupon_code, billing_email)
    visit.adopt(session)
    const shop = await visit.app.shop()
    const notices = [...(await visit.takeOwnNotices()), ...couponNotice(shop, coupon_code, result)]
    return new Response(renderPart(shop, <Notices notices={notices} />), {
      headers: { 'Content-Type': 'text/html; charset=UTF-8' },
    })
  },
})
