import { emailIdentity, emailPattern } from '../customers/email-identity.ts'
import { compare, type Money } from '../money/money.ts'
import { appliesToItem, type Coupon, type CouponItem, isAmong, isInCategory } from './coupon.ts'

/** Refusals of a coupon, with the numbers that extensions of the public interface expect. */
export const couponRefusalCodes = {
  invalid: 100,
  'no-longer-valid': 101,
  'not-your-email': 102,
  'already-applied': 103,
  'another-is-exclusive': 104,
  unknown: 105,
  'limit-reached': 106,
  expired: 107,
  'minimum-not-met': 108,
  'not-for-these-items': 109,
  'not-for-sale-items': 110,
  'no-code': 111,
  'maximum-exceeded': 112,
  'excluded-products': 113,
  'excluded-categories': 114,
  'held-by-your-order': 115,
  'held-by-another-order': 116,
} as const

/** Numbers of successes. */
export const couponMessageCodes = { applied: 200, removed: 201 } as const

export type CouponRefusal =
  /** The limit as entered by the merchant. */
  | { readonly reason: 'minimum-not-met' | 'maximum-exceeded'; readonly amount: Money }
  /** The excluded lines. */
  | { readonly reason: 'excluded-products' | 'excluded-categories'; readonly keys: readonly string[] }
  | {
      readonly reason: Exclude<
        keyof typeof couponRefusalCodes,
        'minimum-not-met' | 'maximum-exceeded' | 'excluded-products' | 'excluded-categories'
      >
    }

export type CouponFacts = {
  readonly items: readonly CouponItem[]
  /** Before discounts, in the cart's display tax mode and in the currency of the coupon's limits. */
  readonly displayedSubtotal: Money
  readonly now: Date
  /** Counted uses, and uses reserved by unpaid orders of other sessions. */
  readonly uses: { readonly counted: number; readonly held: number }
  /** Uses of this customer (account or billing email); null while unknown. */
  readonly ownUses: { readonly counted: number; readonly held: number } | null
  /** A logged-in customer has a recent unpaid or failed order, which may reserve the use. */
  readonly customer: { readonly loggedIn: boolean; readonly hasUnpaidOrder: boolean }
  /** Emails of account and billing; null while unknown: an email restriction is then checked at the checkout. */
  readonly emails: readonly string[] | null
}

export type CouponValidity = { readonly ok: true } | ({ readonly ok: false } & CouponRefusal)

/** Validates an existing coupon for a cart; returns the first refusal. */
export function couponValidity(coupon: Coupon, facts: CouponFacts): CouponValidity {
  const refusal =
    usageRefusal(coupon, facts) ??
    ownUsageRefusal(coupon, facts) ??
    (coupon.expiresAt !== null && facts.now > coupon.expiresAt ? { reason: 'expired' as const } : null) ??
    amountRefusal(coupon, facts) ??
    itemsRefusal(coupon, facts.items) ??
    (facts.emails === null || isForEmails(coupon, facts.emails) ? null : { reason: 'not-your-email' as const })
  return refusal ? { ok: false, ...refusal } : { ok: true }
}

export type Admission =
  | { readonly ok: true; readonly removed: readonly string[] }
  | { readonly ok: false; readonly reason: 'already-applied' | 'another-is-exclusive' }

/** Decides whether a valid coupon may join those on the cart, and which of them it removes. */
export function admitCoupon(coupon: Coupon, applied: readonly Pick<Coupon, 'code' | 'individualUse'>[]): Admission {
  if (applied.some(({ code }) => code === coupon.code)) return { ok: false, reason: 'already-applied' }
  if (coupon.individualUse) return { ok: true, removed: applied.map(({ code }) => code) }
  if (applied.some(({ individualUse }) => individualUse)) return { ok: false, reason: 'another-is-exclusive' }
  return { ok: true, removed: [] }
}

/**
 * Returns the coupons that remain when each is admitted to the earlier ones. Coupons of concurrent requests, or joined
 * by a login, were never checked against each other.
 */
export function applicableCoupons<Applied extends Coupon>(coupons: readonly Applied[]): readonly Applied[] {
  return coupons.reduce<readonly Applied[]>((standing, coupon) => {
    const admission = admitCoupon(coupon, standing)
    return admission.ok ? [...standing.filter(({ code }) => !admission.removed.includes(code)), coupon] : standing
  }, [])
}

function usageRefusal({ usageLimit }: Coupon, { uses, customer }: CouponFacts): CouponRefusal | null {
  if (!usageLimit || uses.counted + uses.held < usageLimit) return null
  if (uses.held === 0) return { reason: 'limit-reached' }
  if (!customer.loggedIn) return { reason: 'held-by-another-order' }
  return { reason: customer.hasUnpaidOrder ? 'held-by-your-order' : 'limit-reached' }
}

function ownUsageRefusal({ usageLimitPerUser }: Coupon, { ownUses }: CouponFacts): CouponRefusal | null {
  if (!usageLimitPerUser || ownUses === null || ownUses.counted + ownUses.held < usageLimitPerUser) return null
  return { reason: ownUses.held > 0 ? 'held-by-your-order' : 'limit-reached' }
}

function amountRefusal(
  { minimumAmount, maximumAmount }: Coupon,
  { displayedSubtotal }: CouponFacts,
): CouponRefusal | null {
  if (minimumAmount && compare(displayedSubtotal, minimumAmount) < 0)
    return { reason: 'minimum-not-met', amount: minimumAmount }
  if (maximumAmount && compare(displayedSubtotal, maximumAmount) > 0)
    return { reason: 'maximum-exceeded', amount: maximumAmount }
  return null
}

function itemsRefusal(coupon: Coupon, items: readonly CouponItem[]): CouponRefusal | null {
  const { productIds, categoryIds, excludedProductIds, excludedCategoryIds, excludeSaleItems, takesOff } = coupon
  if (productIds.length > 0 && !items.some((item) => isAmong(productIds, item)))
    return { reason: 'not-for-these-items' }
  const inCategory = (item: CouponItem) => isInCategory(categoryIds, item) && !(excludeSaleItems && item.onSale)
  if (categoryIds.length > 0 && !items.some(inCategory)) return { reason: 'not-for-these-items' }
  if (takesOff.type !== 'fixed_cart') {
    return items.some((item) => appliesToItem(coupon, item)) ? null : { reason: 'not-for-these-items' }
  }

  // A fixed cart coupon cannot exclude lines, so one excluded line refuses it.
  if (excludeSaleItems && items.some((item) => item.onSale)) return { reason: 'not-for-sale-items' }
  const products = items.filter((item) => isAmong(excludedProductIds, item))
  if (products.length > 0) return { reason: 'excluded-products', keys: products.map(({ key }) => key) }
  const categories = items.filter((item) => isInCategory(excludedCategoryIds, item))
  if (categories.length > 0) return { reason: 'excluded-categories', keys: categories.map(({ key }) => key) }
  return null
}

/** Reports whether a coupon allows one of the emails; without a restriction it allows all. */
export function isForEmails({ emails: patterns }: Pick<Coupon, 'emails'>, emails: readonly string[]): boolean {
  return patterns.length === 0 || emails.some((email) => patterns.some((pattern) => matchesPattern(pattern, email)))
}

/** Matches a pattern with `*` piece by piece: a regular expression with many stars can take exponential time. */
function matchesPattern(pattern: string, email: string): boolean {
  const text = emailIdentity(email)
  const [first = '', ...pieces] = emailPattern(pattern).split('*')
  const last = pieces.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || text.length < first.length + last.length) return false
  let at = first.length
  for (const piece of pieces) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
