import { shippingChoices } from '#contract/cart/messages.ts'
import { urls } from '#contract/shared/urls.ts'
import type { CartLineFacts, NoticeFacts } from '#shop/cart/cart-facts.ts'
import { maxPieces, withQuantities } from '#shop/cart/cart-lines.ts'
import { withChosenShipping } from '#shop/shipping/choose-shipping.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { currentCart, setCartCookies } from '../../cart/fragments.tsx'
import { applyPostedCoupon } from '../../coupons/apply-coupon.ts'
import { couponFormNotice } from '../../coupons/coupon-notices.ts'
import { refererPath, seeOther } from '../../http/redirect.ts'
import { isFromShop } from '../../http/security/origin-check.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice, escapeHtml } from '../../notices/cart-notices.tsx'
import { setCalculatedPlace } from '../shipping/shipping-calculator.ts'
import { linkParameters } from './cart-link.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Handles the cart's forms: quantities, shipping methods, coupon, calculator. The page that follows shows the changes.
 */
export async function cartForm(visit: Visit): Promise<Response> {
  if (!isFromShop(visit)) return new Response('Foreign form', { status: 403 })
  const fields: Fields = await visit.fields()
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined)
  const cartNonce = text('woocommerce-cart-nonce') ?? text('_wpnonce')

  if (text('calc_shipping')) {
    const nonce = text('woocommerce-shipping-calculator-nonce') ?? cartNonce
    const allowed =
      (await visit.isNonce(nonce, 'woocommerce-shipping-calculator')) ||
      (await visit.isNonce(nonce, 'woocommerce-cart'))
    if (allowed) await setCalculatedPlace(visit, text)
  }
  if (text('apply_coupon') !== undefined && text('coupon_code') !== undefined) {
    const code = text('coupon_code') ?? ''
    const result = await applyPostedCoupon(visit, code)
    await visit.addNotice(...couponFormNotice(await visit.app.shop(), code, result))
  }
  const submitted = ['apply_coupon', 'update_cart', 'update_shipping', 'proceed'].some(
    (name) => text(name) !== undefined,
  )
  if (submitted && (await visit.isNonce(cartNonce, 'woocommerce-cart'))) {
    await takeShipping(visit, fields)
    await takeQuantities(visit, fields)
    if (text('proceed') !== undefined) return seeOther(urls.checkout())
  }
  // The page that follows may be cached for all visitors: it finds the cart by cookies alone.
  setCartCookies(visit, (await currentCart(visit)).facts)
  return seeOther(refererPath(visit.request, text('_wp_http_referer'), urls.cart(), linkParameters))
}

async function takeShipping(visit: Visit, fields: Fields): Promise<void> {
  const chosen = shippingChoices.safeParse(fields.shipping_method)
  if (!chosen.success) return
  const { cart } = await currentCart(visit)
  await visit.change(
    (state) => ({ state: withChosenShipping(state, chosen.data, cart.packages), result: undefined }),
    'S4',
  )
}

async function takeQuantities(visit: Visit, fields: Fields): Promise<void> {
  const shop = await visit.app.shop()
  const { facts } = await currentCart(visit)
  const quantities = new Map<string, number>()
  const faults: NoticeFacts[] = []
  for (const line of facts.lines) {
    const wish = wishFor(shop, line, postedQuantity(fields, line.key))
    if (wish.quantity !== null) quantities.set(line.key, wish.quantity)
    if (wish.fault) faults.push(errorNotice(wish.fault))
  }
  const changed = await visit.change((state) => {
    const next = withQuantities(state, quantities)
    return { state: next, result: next !== state }
  }, 'S2')
  const done: NoticeFacts = { kind: 'success', html: escapeHtml(shop.t('Cart updated.')) }
  await visit.addNotice(...faults, ...(changed ? [done] : []))
}

/** Returns the result of a posted quantity. Null: the line stays unchanged. */
function wishFor(
  { t }: ShopContextValue,
  { name, quantity, soldIndividually, maxQuantity }: CartLineFacts,
  posted: string,
): { quantity: number | null; fault?: string } {
  if (posted.trim() === '') return { quantity: null }
  // The public interface removes every character except digits and dots.
  const digits = posted.replace(/[^0-9.]/g, '')
  const pieces = digits === '' ? Number.NaN : Math.trunc(Number(digits))
  if (Number.isNaN(pieces)) return { quantity: null, fault: t('Please enter a quantity for “%s”.', name) }
  if (pieces === quantity) return { quantity: null }
  if (soldIndividually && pieces > 1) return { quantity: null, fault: t('You can only have 1 %s in your cart.', name) }
  if (maxQuantity !== null && pieces > 0 && pieces > maxQuantity) {
    const fault = t('Sorry, we have only %s of “%s” in stock.', maxQuantity, name)
    return { quantity: maxQuantity > 0 ? maxQuantity : null, fault }
  }
  if (pieces > maxPieces)
    return { quantity: null, fault: t('You can have at most %s of “%s” in your cart.', maxPieces, name) }
  return { quantity: pieces }
}

/** Returns the quantity posted for a line; '' for a missing or invalid one. */
function postedQuantity(fields: Fields, key: string): string {
  const line = memberOf(fields.cart, key)
  const quantity = memberOf(line, 'qty')
  return typeof quantity === 'string' ? quantity : ''
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
