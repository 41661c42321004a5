import type { CouponResult } from '#shop/apply-coupon.ts'
import type { NoticeFacts } from '#shop/cart-facts.ts'
import { priceText } from '#web/parts/price.tsx'
import type { ShopContextValue } from '#web/parts/shop-context.tsx'
import { errorNotice, escapeHtml } from './cart-notices.tsx'

/** What became of a coupon, in words. */
export function couponNotice(shop: ShopContextValue, typed: string, result: CouponResult): NoticeFacts {
  const { t } = shop
  if (result.ok) return { kind: 'success', html: escapeHtml(t('Coupon code applied successfully.')) }
  const code = typed.trim().slice(0, 60)
  switch (result.reason) {
    case 'no-code':
      return errorNotice(t('Please enter a coupon code.'))
    case 'unknown':
      return errorNotice(t('Coupon “%s” does not exist.', code))
    case 'already-applied':
      return errorNotice(t('Coupon code “%s” already applied.', code))
    case 'another-is-exclusive':
      return errorNotice(t('Coupon “%s” cannot be used together with the coupon in your cart.', code))
    case 'expired':
      return errorNotice(t('Coupon “%s” has expired.', code))
    case 'limit-reached':
    case 'held-by-your-order':
    case 'held-by-another-order':
      return errorNotice(t('The usage limit of coupon “%s” has been reached.', code))
    case 'minimum-not-met':
      return errorNotice(t('Coupon “%s” needs a purchase of at least %s.', code, priceText(shop, result.amount)))
    case 'maximum-exceeded':
      return errorNotice(t('Coupon “%s” is for purchases up to %s.', code, priceText(shop, result.amount)))
    case 'not-for-these-items':
    case 'excluded-products':
    case 'excluded-categories':
      return errorNotice(t('Coupon “%s” is not for the products in your cart.', code))
    case 'not-for-sale-items':
      return errorNotice(t('Coupon “%s” cannot be used for products on sale.', code))
    case 'not-your-email':
      return errorNotice(t('Coupon “%s” cannot be used with this e-mail address.', code))
    case 'no-longer-valid':
      return errorNotice(t('Coupon “%s” is no longer valid and was removed from your cart.', code))
    case 'invalid':
      return errorNotice(t('Coupon “%s” is not valid.', code))
  }
}
