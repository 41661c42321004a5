import type { StoreCouponRecord } from '#contract/coupons/store-coupons.ts'
import type { StoreCurrency } from '#contract/shared/store-money.ts'
import type { EvaluatedCart } from '#shop/cart/evaluated-cart.ts'
import { minor } from '../shared/store-values.ts'

/** Returns the coupons of a cart with their discounts, which add up to that of the totals. */
export function couponRecords(
  { quote, coupons }: Pick<EvaluatedCart, 'quote' | 'coupons'>,
  currency: StoreCurrency,
): StoreCouponRecord[] {
  return quote.coupons.map(({ code, discount, discountTax }) => ({
    code,
    discount_type: coupons.find((coupon) => coupon.code === code)?.takesOff.type ?? 'fixed_cart',
    totals: { ...currency, total_discount: minor(discount), total_discount_tax: minor(discountTax) },
  }))
}
