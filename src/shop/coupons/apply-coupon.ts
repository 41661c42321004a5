import { type CouponUses, couponUses } from '#database/coupons/coupons.ts'
import { findCustomer, hasUnpaidOrder } from '#database/customers/customers.ts'
import { isEmail } from '#domain/addresses/contact-syntax.ts'
import { couponCode } from '#domain/coupons/coupon.ts'
import { admitCoupon, type CouponRefusal, couponValidity } from '#domain/coupons/coupon-validity.ts'
import { statedMaximum, statedMinimum } from '#domain/currency/converted-limit.ts'
import { isOwnCurrency } from '#domain/currency/exchange.ts'
import { cleanEmail, emailIdentity } from '#domain/customers/email-identity.ts'
import type { Money } from '#domain/money/money.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import { subtotalSpread } from '../cart/own-currency-items.ts'
import { quoteCart } from '../cart/quote-cart.ts'
import type { SessionState } from '../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../customers/sessions/visit-session.ts'
import { limitGuesses, waitBefore } from '../shared/limit-attempts.ts'
import type { Tools } from '../shared/tools.ts'
import { readCoupons, type StoredCoupon } from './read-coupons.ts'

/** `emailDue`: the coupon is restricted to email addresses and none is known yet, so the checkout decides. */
export type AppliedCoupon = { ok: true; code: string; emailDue: boolean }

/**
 * `names`: the excluded products, where the reason is about some of them. `stated`: a limit in the displayed currency,
 * where that is not the shop's own.
 */
export type CouponResult =
  | AppliedCoupon
  | ({ ok: false; names?: readonly string[]; stated?: Money } & CouponRefusal)
  /** The shop has disabled coupons. */
  | { ok: false; reason: 'disabled' }
  /** Missing products are not reported: the page may be older than the session. */
  | { ok: false; reason: 'cart-empty' }

/** `too-many`: too many wrong codes from this session or network. No code is checked before the wait is over. */
export type TriedCoupon = CouponResult | { ok: false; reason: 'too-many'; waitMs: number }

/**
 * Applies a coupon code that a visitor typed, or returns the refusal. Unknown codes count towards the rate limit, like
 * wrong passwords.
 */
export async function applyCoupon(
  tools: Tools,
  session: VisitSession,
  { typed, billingEmail = '', ip }: { typed: string; billingEmail?: string | undefined; ip: string },
): Promise<{ session: VisitSession; result: TriedCoupon }> {
  const refuse = (result: TriedCoupon & { ok: false }) => ({ session, result })
  const who = { subject: session.id, ip }
  const code = couponCode(typed)
  const { couponsEnabled } = tools.settings
  // No code has a null character, and PostgreSQL accepts none in text.
  const isReadable = couponsEnabled && code !== '' && !code.includes('\0')
  const [waitMs, [coupon], cart] = await Promise.all([
    waitBefore(tools, 'coupon', who),
    readCoupons(tools, isReadable ? [code] : []),
    quoteCart(tools, session.id, session.state),
  ])
  if (waitMs > 0) return refuse({ ok: false, reason: 'too-many', waitMs })
  if (!couponsEnabled) return refuse({ ok: false, reason: 'disabled' })
  if (code === '') return refuse({ ok: false, reason: 'no-code' })
  if (!coupon) {
    const tries = await limitGuesses(tools, 'coupon', who)
    return refuse(tries.ok ? { ok: false, reason: 'unknown' } : { ok: false, reason: 'too-many', waitMs: tries.waitMs })
  }
  const email = cleanEmail(billingEmail) || session.state.billing.email
  const decision = await admit(tools, session, cart, coupon, email)
  if (!decision.ok) {
    const empty = decision.reason === 'not-for-these-items' && session.state.lines.length === 0
    return refuse(empty ? { ok: false, reason: 'cart-empty' } : decision)
  }
  const changed = await changeSession(tools, session, decision.change, 'S3')
  return { session: changed.session, result: decision.applied }
}

type Decision =
  | {
      ok: true
      applied: AppliedCoupon
      change: (state: SessionState) => { state: SessionState; result: undefined }
    }
  | Refused

/** Decides whether the coupon applies to this cart, and returns the change. */
async function admit(
  tools: Tools,
  session: VisitSession,
  cart: EvaluatedCart,
  coupon: StoredCoupon,
  email: string,
): Promise<Decision> {
  const known = completeEmail(email)
  const [invalid] = await validateCoupons(tools, session, cart, [coupon], known)
  if (invalid) return invalid[1]
  const admission = admitCoupon(coupon, cart.coupons)
  if (!admission.ok) return { ok: false, reason: admission.reason }
  const { code } = coupon
  const change = (state: SessionState) => ({
    state: {
      ...state,
      coupons: [...state.coupons.filter((one) => one !== code && !admission.removed.includes(one)), code],
      // A free-shipping coupon replaces the chosen rate by the first free one.
      chosenShipping: coupon.freeShipping ? {} : state.chosenShipping,
      approvedWallet: null,
      billing: email ? { ...state.billing, email } : state.billing,
    },
    result: undefined,
  })
  const emailDue = coupon.emails.length > 0 && known === null && session.customerId === null
  return { ok: true, applied: { ok: true, code, emailDue }, change }
}

/** Returns a complete email address for a coupon check; null for none or an incomplete one. */
export function completeEmail(typed: string): string | null {
  const email = typed.trim()
  return isEmail(email) ? email : null
}

type Refused = CouponResult & { ok: false }

/**
 * Returns the coupons that are not valid for this cart now, with the refusals by code.
 * @param email of the billing address, beside the account's. Null while it is unknown: a guest's coupon with an email
 *   restriction then stays until an order is placed
 */
export async function validateCoupons(
  tools: Tools,
  session: Pick<VisitSession, 'id' | 'customerId'>,
  cart: EvaluatedCart,
  coupons: readonly StoredCoupon[],
  email: string | null,
): Promise<[code: string, refusal: Refused][]> {
  const limited = coupons.filter(({ usageLimit, usageLimitPerUser }) => usageLimit || usageLimitPerUser)
  const asksWho = limited.length > 0 || coupons.some(({ emails }) => emails.length > 0)
  const buyer = asksWho ? await readBuyer(tools, session.customerId, email) : strangerWith(email)
  const uses =
    limited.length > 0
      ? await couponUses(
          tools.db.kysely,
          limited.map(({ id }) => id),
          { sessionId: session.id, emails: buyer.emails ?? [], customerId: session.customerId },
        )
      : new Map<number, CouponUses>()
  return coupons.flatMap((coupon) => {
    const judged = judge(tools, cart, coupon, buyer, uses.get(coupon.id))
    if (judged.ok) return []
    return [[coupon.code, { ...judged, ...namedIn(tools, cart, judged) }]]
  })
}

/** Returns the details of a refusal: product names, and a limit in the displayed currency. */
function namedIn(
  { settings, exchange }: Pick<Tools, 'settings' | 'exchange'>,
  { items, entries }: EvaluatedCart,
  refusal: CouponRefusal,
): { names?: readonly string[]; stated?: Money } {
  if ('keys' in refusal) {
    const named = entries.filter(({ line }) => refusal.keys.includes(line.key))
    return { names: [...new Set(named.map(({ product }) => product.name))] }
  }
  if (!('amount' in refusal) || isOwnCurrency(exchange)) return {}
  const limitIn = refusal.reason === 'minimum-not-met' ? statedMinimum : statedMaximum
  const stated = limitIn(refusal.amount, exchange, subtotalSpread(settings, items))
  return stated ? { stated } : {}
}

const unused: CouponUses = { held: 0, mine: 0, ownCounted: 0, ownHeld: 0 }

type Buyer = { emails: readonly string[] | null; loggedIn: boolean; hasUnpaidOrder: boolean }

function strangerWith(email: string | null): Buyer {
  const known = email === null ? null : emailIdentity(email)
  return { emails: known === null ? null : known ? [known] : [], loggedIn: false, hasUnpaidOrder: false }
}

async function readBuyer({ db }: Tools, customerId: number | null, email: string | null): Promise<Buyer> {
  const stranger = strangerWith(email)
  if (customerId === null) return stranger
  const [account, unpaid] = await Promise.all([
    findCustomer(db.kysely, customerId),
    hasUnpaidOrder(db.kysely, customerId),
  ])
  const emails = [...new Set([...(stranger.emails ?? []), ...(account ? [emailIdentity(account.email)] : [])])]
  return { emails, loggedIn: true, hasUnpaidOrder: unpaid }
}

function judge(tools: Tools, cart: EvaluatedCart, coupon: StoredCoupon, buyer: Buyer, uses: CouponUses = unused) {
  const { entries } = cart
  const { held, mine, ownCounted, ownHeld } = uses
  return couponValidity(coupon, {
    items: entries.map(({ line, product, onSale }) => ({
      key: line.key,
      productId: product.id,
      parentId: product.parentId,
      categoryIds: product.categoryIds,
      onSale,
    })),
    displayedSubtotal: cart.ownSubtotal,
    now: tools.clock.now(),
    uses: { counted: Math.max(0, coupon.used - held - mine), held },
    ownUses: buyer.loggedIn || buyer.emails?.length ? { counted: ownCounted, held: ownHeld } : null,
    customer: buyer,
    emails: buyer.emails,
  })
}

/** Removes a coupon. Returns the same state when the cart does not have it. */
export function withoutCoupon(state: SessionState, typed: string): SessionState {
  const code = couponCode(typed)
  if (!state.coupons.includes(code)) return state
  return { ...state, coupons: state.coupons.filter((one) => one !== code), approvedWallet: null }
}
