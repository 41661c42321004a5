import { couponCode } from '#domain/coupons/coupon.ts'
import { admitCoupon, type CouponRefusal, couponValidity } from '#domain/coupons/coupon-validity.ts'
import { add } from '#domain/money/money.ts'
import { type EvaluatedCart, quoteCart } from './quote-cart.ts'
import { readCoupons, type StoredCoupon } from './read-coupons.ts'
import type { SessionState } from './session-state.ts'
import type { Tools } from './tools.ts'
import { changeSession, type VisitSession } from './visit-session.ts'

export type CouponResult = { ok: true; code: string } | ({ ok: false } & CouponRefusal)

/** Puts a coupon on a visitor's cart, or says why not. */
export async function applyCoupon(
  tools: Tools,
  session: VisitSession,
  typed: string,
  billingEmail = '',
): Promise<{ session: VisitSession; result: CouponResult }> {
  const refuse = (reason: CouponRefusal): { session: VisitSession; result: CouponResult } => ({
    session,
    result: { ok: false, ...reason },
  })
  const code = couponCode(typed)
  if (!tools.settings.couponsEnabled) return refuse({ reason: 'invalid' })
  if (code === '') return refuse({ reason: 'no-code' })
  const [coupon] = await readCoupons(tools, [code])
  if (!coupon) return refuse({ reason: 'unknown' })

  const cart = await quoteCart(tools, session.id, session.state)
  const email = billingEmail.trim() || session.state.billing.email
  const validity = judgeCoupon(tools, cart, coupon, email)
  if (!validity.ok) return refuse(validity)
  const admission = admitCoupon(coupon, cart.coupons)
  if (!admission.ok) return refuse({ reason: admission.reason })
  const changed = await changeSession(tools, session, (state) => ({
    state: {
      ...state,
      coupons: [...state.coupons.filter((one) => one !== code && !admission.removed.includes(one)), code],
      approvedWallet: null,
      billing: email ? { ...state.billing, email } : state.billing,
    },
    result: undefined,
  }))
  return { session: changed.session, result: { ok: true, code } }
}

/** Whether a coupon may be used on this cart now. */
export function judgeCoupon(tools: Tools, cart: EvaluatedCart, coupon: StoredCoupon, email: string) {
  const { totals, entries } = cart
  return couponValidity(coupon, {
    items: entries.map(({ line, product, onSale }) => ({
      key: line.key,
      productId: product.id,
      parentId: product.parentId,
      categoryIds: product.categoryIds,
      onSale,
    })),
    displayedSubtotal:
      tools.settings.taxes.displayCart === 'incl' ? add(totals.subtotal, totals.subtotalTax) : totals.subtotal,
    now: tools.clock.now(),
    uses: { counted: coupon.used, held: 0 },
    ownUses: null,
    customer: { loggedIn: false, hasUnpaidOrder: false },
    emails: email ? [email] : [],
  })
}

/** The state itself when the coupon is not on the cart. */
export function withoutCoupon(state: SessionState, typed: string): SessionState {
  const code = couponCode(typed)
  if (!state.coupons.includes(code)) return state
  return { ...state, coupons: state.coupons.filter((one) => one !== code), approvedWallet: null }
}
