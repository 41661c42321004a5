import type { Money } from '../money/money.ts'
import { plainCharacters } from '../translation/plain-characters.ts'

/** A coupon of the merchant. Absent limits and amounts are null, empty lists restrict nothing. */
export type Coupon = {
  readonly id: number
  /** Trimmed and in lower case. */
  readonly code: string
  readonly takesOff: CouponAmount
  /** Invalid after this moment. */
  readonly expiresAt: Date | null
  readonly usageLimit: number | null
  readonly usageLimitPerUser: number | null
  /** Maximum number of discounted pieces; not for fixed_cart. */
  readonly limitToItems: number | null
  readonly individualUse: boolean
  readonly excludeSaleItems: boolean
  readonly freeShipping: boolean
  /** In the shop's own currency. */
  readonly minimumAmount: Money | null
  readonly maximumAmount: Money | null
  /** Products or their parents. */
  readonly productIds: readonly number[]
  readonly excludedProductIds: readonly number[]
  readonly categoryIds: readonly number[]
  readonly excludedCategoryIds: readonly number[]
  /** Email addresses, or patterns with `*`. */
  readonly emails: readonly string[]
}

export type CouponAmount =
  /** Parts per million, at most 1,000,000: 15 % is 150000. */
  | { readonly type: 'percent'; readonly ppm: number }
  | { readonly type: 'fixed_cart' | 'fixed_product'; readonly amount: Money }

/** Facts of a line that decide whether a coupon applies. */
export type CouponItem = {
  readonly key: string
  /** The product or variation. */
  readonly productId: number
  readonly parentId: number | null
  /** The categories of the product or its parent, with all their ancestors. */
  readonly categoryIds: readonly number[]
  readonly onSale: boolean
}

/** Normalizes a code: case, outer spaces, and digit or width variants of keyboards are ignored. */
export function couponCode(typed: string): string {
  return plainCharacters(typed).trim().toLowerCase()
}

/** Reports whether a percent or fixed_product coupon discounts this item. */
export function appliesToItem(coupon: Coupon, item: CouponItem): boolean {
  const listed =
    (coupon.productIds.length === 0 && coupon.categoryIds.length === 0) ||
    isAmong(coupon.productIds, item) ||
    isInCategory(coupon.categoryIds, item)
  return (
    listed &&
    !isAmong(coupon.excludedProductIds, item) &&
    !isInCategory(coupon.excludedCategoryIds, item) &&
    !(coupon.excludeSaleItems && item.onSale)
  )
}

export function isAmong(productIds: readonly number[], item: CouponItem): boolean {
  return productIds.includes(item.productId) || (item.parentId !== null && productIds.includes(item.parentId))
}

export function isInCategory(categoryIds: readonly number[], item: CouponItem): boolean {
  return item.categoryIds.some((id) => categoryIds.includes(id))
}
