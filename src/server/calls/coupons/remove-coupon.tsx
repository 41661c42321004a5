import { removeCouponInput } from '#contract/cart/messages.ts'
import { withoutCoupon } from '#shop/coupons/apply-coupon.ts'
import { renderPart } from '#web/pages/shared/render.tsx'
import { Notices } from '#web/parts/notices/notices.tsx'
import { errorNotice, escapeHtml } from '../../notices/cart-notices.tsx'
import { defineCall } from '../shared/define-call.ts'

/** `remove_coupon`: handles the link in a coupon's row; returns notices. */
export const removeCouponCall = defineCall({
  name: 'remove_coupon',
  door: 'wc-ajax',
  method: 'POST',
  input: removeCouponInput,
  output: 'html',
  identity: 'own-session',
  idempotency: 'natural',
  load: 'cart',
  cache: 'private-no-store',
  forgery: { nonce: 'remove-coupon', field: 'security' },
  async answer(visit, { coupon }) {
    const removed = await visit.change((state) => {
      const next = withoutCoupon(state, coupon)
      return { state: next, result: next !== state }
    }, 'S3')
    const shop = await visit.app.shop()
    const notice = removed
      ? { kind: 'success' as const, html: escapeHtml(shop.t('Coupon has been removed.')) }
      : errorNotice(shop.t('Sorry, there was a problem removing this coupon.'))
    return new Response(renderPart(shop, <Notices notices={[notice]} />), {
      headers: { 'Content-Type': 'text/html; charset=UTF-8' },
    })
  },
})
