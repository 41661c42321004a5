import { cartHooks } from '#contract/cart/hooks.ts'
import { cartPageEvents } from '#contract/shared/events.ts'
import { parseMarkup } from '../../runtime/trusted-markup.ts'
import { repostCart } from '../cart/cart-form.ts'
import { showNotices } from '../notices/notices.ts'
import { applyCoupon, type CouponPage, removeCoupon } from './coupon-form.ts'

const cartPage: CouponPage = {
  params: 'wc_cart_params',
  appliedEvent: cartPageEvents.couponApplied,
  removedEvent: cartPageEvents.couponRemoved,
  showApplied: (notices, form) => showNotices([...parseMarkup(notices).children], form),
  showRemoved: (notices) => showNotices([...parseMarkup(notices).children], document.querySelector(cartHooks.form)),
}

export async function applyCartCoupon(form: HTMLFormElement): Promise<void> {
  if (await applyCoupon(form, cartPage)) await repostCart({ preserveNotices: true })
}

export async function removeCartCoupon(link: HTMLAnchorElement): Promise<void> {
  if (await removeCoupon(link, cartHooks.totals, cartPage)) await repostCart({ preserveNotices: true })
}
