import { stockFault } from '#domain/cart/stock.ts'
import { entryName } from '#shop/cart/cart-line-name.ts'
import { withQuantities } from '#shop/cart/cart-lines.ts'
import type { EvaluatedCart } from '#shop/cart/evaluated-cart.ts'
import { withRefreshedSnapshots } from '#shop/cart/line-changes.ts'
import { quoteCart } from '#shop/cart/quote-cart.ts'
import { displayPrices } from '#shop/catalog/read-product-prices.ts'
import type { EvaluatedForm } from '#shop/checkout/save-checkout-form.ts'
import { completeEmail, validateCoupons, withoutCoupon } from '#shop/coupons/apply-coupon.ts'
import { removedCouponNotice } from '../coupons/coupon-notices.ts'
import type { Visit } from '../http/visit.ts'
import { errorNotice } from '../notices/cart-notices.tsx'
import { changeNotice, droppedNotice, stockNotice } from './line-notices.ts'

/**
 * Brings a visitor's cart in line with the shop as it is now and tells what changed: what is gone or can no longer be
 * bought leaves the cart, the first line that stock cannot serve is named, coupons that no longer hold come off, and
 * prices and stock that are other than when the visitor last looked are told once.
 * @param email of a form that is being ordered with, null where the form is refused for it; else that of the visit
 * before
 * @returns whether the cart is as the visitor knew it, and may be ordered; and what was looked at, where there is
 * anything
 */
export async function settleCart(
  visit: Visit,
  email?: string | null,
): Promise<{ fine: boolean; looked?: EvaluatedForm }> {
  if ((await visit.session()).state.lines.length === 0) return { fine: true }
  const before = await quote(visit)
  const dropped = await dropLines(visit, before.cart)
  const looked = dropped ? await quote(visit) : before
  const { cart } = looked
  const served = await checkStock(visit, cart)
  const refused = await dropCoupons(visit, cart, email)
  await announceChanges(visit, cart)
  return { fine: served && !dropped && !refused, looked }
}

async function quote(visit: Visit): Promise<EvaluatedForm> {
  const { id, state } = await visit.session()
  return { state, cart: await quoteCart(visit.app.tools, id, state) }
}

/** @returns whether the cart has changed */
async function dropLines(visit: Visit, { dropped, entries }: EvaluatedCart): Promise<boolean> {
  const shop = await visit.app.shop()
  const alone = entries.filter(({ line, product }) => product.soldIndividually && line.quantity > 1)
  if (dropped.length === 0 && alone.length === 0) return false
  const quantities = new Map([
    ...dropped.map(({ line }) => [line.key, 0] as const),
    ...alone.map(({ line }) => [line.key, 1] as const),
  ])
  const gone = new Set(dropped.map(({ line }) => line.key))
  await visit.change((now) => {
    const next = withQuantities(now, quantities)
    // A product that is no longer sold cannot be restored.
    return { state: { ...next, removed: next.removed.filter(({ key }) => !gone.has(key)) }, result: undefined }
  })
  // A reason without a product is shown once for any number of lines.
  const notices = new Map(dropped.map((line) => droppedNotice(shop, line)).map((notice) => [notice.html, notice]))
  await visit.addNotice(
    ...notices.values(),
    ...alone.map((entry) => errorNotice(shop.t('You can only have 1 %s in your cart.', entryName(entry)))),
  )
  return true
}

async function checkStock(visit: Visit, { entries }: EvaluatedCart): Promise<boolean> {
  const fault = stockFault(
    entries.map(({ line, product }) => ({ ...product, key: line.key, quantity: line.quantity })),
    visit.app.tools.settings.outOfStockAmount,
  )
  if (!fault) return true
  const entry = entries.find(({ line }) => line.key === fault.key)
  await visit.addNotice(stockNotice(await visit.app.shop(), entry ? entryName(entry) : '', fault))
  return false
}

async function dropCoupons(visit: Visit, cart: EvaluatedCart, email?: string | null): Promise<boolean> {
  const session = await visit.session()
  const { state } = session
  if (state.coupons.length === 0) return false
  const missing = state.coupons.filter((code) => !cart.coupons.some((coupon) => coupon.code === code))
  // The merchant has deleted them, unless another coupon excludes them.
  const isAlone = cart.coupons.some(({ individualUse }) => individualUse)
  const reason = isAlone ? ('another-is-exclusive' as const) : ('no-longer-valid' as const)
  const given = email === undefined ? completeEmail(state.billing.email) : email
  const refused = [
    ...missing.map((code) => [code, { ok: false, reason }] as const),
    ...(await validateCoupons(visit.app.tools, session, cart, cart.coupons, given)),
  ]
  const shop = await visit.app.shop()
  if (refused.length === 0) return false
  const notices = refused.flatMap(([code, result]) => removedCouponNotice(shop, code, result))
  await visit.change((now) => ({
    state: refused.reduce((state, [code]) => withoutCoupon(state, code), now),
    result: undefined,
  }))
  await visit.addNotice(...notices)
  return true
}

/** Stores the announced state in the same write: with two concurrent tabs, one shows the change. */
async function announceChanges(visit: Visit, { entries }: EvaluatedCart): Promise<void> {
  const { settings, taxRates, exchange, catalogCache } = visit.app.tools
  const shop = await visit.app.shop()
  const taxes = { ...settings.taxes, displayShop: settings.taxes.displayCart }
  const display = displayPrices({ settings: { ...settings, taxes }, taxRates, exchange, catalogCache })
  await visit.change((now) => {
    const { state, announced } = withRefreshedSnapshots(now, entries, exchange.from)
    const notices = announced.map((one) => changeNotice(shop, display, one))
    return {
      state: notices.length > 0 ? { ...state, notices: [...state.notices, ...notices] } : state,
      result: undefined,
    }
  })
}
