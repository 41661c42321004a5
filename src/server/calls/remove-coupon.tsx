import { removeCouponInput } from '#contract/calls/cart.ts'
import { withoutCoupon } from '#shop/apply-coupon.ts'
import { renderPart } from '#web/pages/render.tsx'
import { Notices } from '#web/parts/notices.tsx'
import { defineCall } from '../call.ts'
import { errorNotice, escapeHtml } from '../cart-notices.tsx'

/** `remove_coupon`: the link in a coupon's row; answers notices. */
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
      : errorNotice(shop.t('Sorry there was a problem removing this coupon.'))
    return new Response(renderPart(shop, <Notices notices={[notice]} />), {
      headers: { 'Content-Type': 'text/html; charset=UTF-8' },
    })
  },
})
