import type { Money } from '#domain/money/money.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import type { AppliedCoupon, CouponResult, TriedCoupon } from '#shop/coupons/apply-coupon.ts'
import { couponFieldId } from '#web/parts/coupons/coupon-form.tsx'
import { priceText } from '#web/parts/currency/price.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { tooManyNotice } from '../customers/account-notices.ts'
import { errorNotice, escapeHtml, expiredNotice } from '../notices/cart-notices.tsx'

type Refused = Extract<CouponResult, { ok: false }>

/** Returns the result of an entered coupon; empty in a shop without coupons. */
export function couponNotice(shop: ShopContextValue, typed: string, result: TriedCoupon): NoticeFacts[] {
  if (result.ok) return [{ kind: 'success', html: escapeHtml(appliedText(shop, result)) }]
  if (result.reason === 'cart-empty') return [expiredNotice(shop.t)]
  if (result.reason === 'too-many') return [tooManyNotice(shop.t, result.waitMs)]
  const text = refusalText(shop, typed, result)
  return text === null ? [] : [errorNotice(text)]
}

/** Returns the result for a form posted without scripts: a refusal links to the field, as scripts do elsewhere. */
export function couponFormNotice(shop: ShopContextValue, typed: string, result: TriedCoupon): NoticeFacts[] {
  return couponNotice(shop, typed, result).map((notice) =>
    notice.kind === 'error' && !(result.ok || result.reason === 'cart-empty')
      ? { ...notice, field: couponFieldId }
      : notice,
  )
}

/** Returns the reason why a coupon was removed from the cart. */
export function removedCouponNotice(shop: ShopContextValue, code: string, result: Refused): NoticeFacts[] {
  const text = refusalText(shop, code, result)
  if (text === null || result.reason === 'no-longer-valid') return text === null ? [] : [errorNotice(text)]
  return [errorNotice(`${text} ${shop.t('It was removed from your cart.')}`)]
}

function appliedText({ t }: ShopContextValue, { emailDue }: AppliedCoupon): string {
  const applied = t('Coupon code applied successfully.')
  if (!emailDue) return applied
  return `${applied} ${t('It is limited to certain email addresses. We check yours when you place the order.')}`
}

function refusalText(shop: ShopContextValue, typed: string, result: Refused): string | null {
  const { t } = shop
  const code = typed.trim().slice(0, 60)
  switch (result.reason) {
    case 'disabled':
    case 'cart-empty':
      return null
    case 'no-code':
      return t('Please enter a coupon code.')
    case 'unknown':
      return t('Coupon “%s” does not exist.', code)
    case 'already-applied':
      return t('Coupon code “%s” has already been applied.', code)
    case 'another-is-exclusive':
      return t('Coupon “%s” cannot be used together with the coupon in your cart.', code)
    case 'expired':
      return t('Coupon “%s” has expired.', code)
    case 'limit-reached':
      return t('The usage limit of coupon “%s” has been reached.', code)
    case 'held-by-your-order':
      return t('Coupon “%s” is used by one of your unpaid orders. Please pay for that order or cancel it first.', code)
    case 'held-by-another-order':
      return t('Coupon “%s” is in use by an order that is being paid. Please try again later.', code)
    case 'minimum-not-met':
      return t('Coupon “%s” requires a purchase of at least %s.', code, limitText(shop, result))
    case 'maximum-exceeded':
      return t('Coupon “%s” is valid only for purchases up to %s.', code, limitText(shop, result))
    case 'not-for-these-items':
      return t('Coupon “%s” does not apply to the products in your cart.', code)
    case 'excluded-products':
    case 'excluded-categories':
      return t('Coupon “%s” does not apply to these products: %s.', code, listed(shop, result.names ?? []))
    case 'not-for-sale-items':
      return t('Coupon “%s” cannot be used for products on sale.', code)
    case 'not-your-email':
      return t('Coupon “%s” cannot be used with this email address.', code)
    case 'no-longer-valid':
      return t('Coupon “%s” is no longer valid and was removed from your cart.', code)
    case 'invalid':
      return t('Coupon “%s” is not valid.', code)
  }
}

/** Formats a limit in the shown currency, with the exact limit in the shop's own currency where that differs. */
function limitText(shop: ShopContextValue, { amount, stated }: { amount: Money; stated?: Money }): string {
  const own = priceText(shop, amount)
  return stated ? `${priceText(shop, stated)} (${own})` : own
}

function listed({ language }: ShopContextValue, names: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names.map((name) => `“${name}”`))
}
