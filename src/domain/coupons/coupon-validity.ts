import { emailIdentity, emailPattern } from '../customers/email-identity.ts'
import { compare, type Money } from '../money/money.ts'
import { appliesToItem, type Coupon, type CouponItem, isAmong, isInCategory } from './coupon.ts'

/** Why a coupon is refused. The numbers are those that extensions of the shop's interface look for. */
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

/** Successes have numbers too. */
export const couponMessageCodes = { applied: 200, removed: 201 } as const

export type CouponRefusal =
  /** The limit as the merchant entered it. */
  | { readonly reason: 'minimum-not-met' | 'maximum-exceeded'; readonly amount: Money }
  /** The lines to name. */
  | { readonly reason: 'excluded-products' | 'excluded-categories'; readonly keys: readonly string[] }
  | {
      readonly reason: Exclude<
        keyof typeof couponRefusalCodes,
        'minimum-not-met' | 'maximum-exceeded' | 'excluded-products' | 'excluded-categories'
      >
    }

export type CouponFacts = {
  readonly items: readonly CouponItem[]
  /** Before discounts, in the cart's display tax mode and in the currency of the coupon's limits, whichever is shown. */
  readonly displayedSubtotal: Money
  readonly now: Date
  /** Uses that count, and uses held by unpaid orders of others than this session. */
  readonly uses: { readonly counted: number; readonly held: number }
  /** The same for this customer (account, or billing e-mail); null while it is not known who this is. */
  readonly ownUses: { readonly counted: number; readonly held: number } | null
  /** A logged-in customer has an unpaid or failed order of late, which may be what holds the use. */
  readonly customer: { readonly loggedIn: boolean; readonly hasUnpaidOrder: boolean }
  /** Of the account and of the billing address; null while none is known: a coupon for certain ones is then decided at the checkout. */
  readonly emails: readonly string[] | null
}

export type CouponValidity = { readonly ok: true } | ({ readonly ok: false } & CouponRefusal)

/** Whether a coupon may be used on a cart now; the first rule that fails speaks. Whether the coupon exists is the caller's to know. */
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

/** Whether a valid coupon may join those already on the cart, and which of them it drives out. */
export function admitCoupon(coupon: Coupon, applied: readonly Pick<Coupon, 'code' | 'individualUse'>[]): Admission {
  if (applied.some(({ code }) => code === coupon.code)) return { ok: false, reason: 'already-applied' }
  if (coupon.individualUse) return { ok: true, removed: applied.map(({ code }) => code) }
  if (applied.some(({ individualUse }) => individualUse)) return { ok: false, reason: 'another-is-exclusive' }
  return { ok: true, removed: [] }
}

/**
 * What stands of coupons that came onto a cart one after the other, each admitted to those before it. Two that were typed at
 * once, or that a login brings together, were never held against each other.
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

  // A coupon on the whole cart cannot leave lines out, so one excluded line refuses it.
  if (excludeSaleItems && items.some((item) => item.onSale)) return { reason: 'not-for-sale-items' }
  const products = items.filter((item) => isAmong(excludedProductIds, item))
  if (products.length > 0) return { reason: 'excluded-products', keys: products.map(({ key }) => key) }
  const categories = items.filter((item) => isInCategory(excludedCategoryIds, item))
  if (categories.length > 0) return { reason: 'excluded-categories', keys: categories.map(({ key }) => key) }
  return null
}

/** Without restrictions every address will do; with them, one known address must match. */
export function isForEmails({ emails: patterns }: Pick<Coupon, 'emails'>, emails: readonly string[]): boolean {
  return patterns.length === 0 || emails.some((email) => patterns.some((pattern) => matchesPattern(pattern, email)))
}

/** `*` stands for any run of characters. Compared piece by piece: a regular expression of many stars can take for ever. */
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
