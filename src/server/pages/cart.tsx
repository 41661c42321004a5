import { urls } from '#contract/urls.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { applyCoupon, withoutCoupon } from '#shop/apply-coupon.ts'
import { withoutLine, withQuantities, withRestoredLine } from '#shop/cart-lines.ts'
import type { EvaluatedCart } from '#shop/quote-cart.ts'
import { CartPage } from '#web/pages/cart-page.tsx'
import { cartNonces, noncesFor } from '../cart-answer.tsx'
import { errorNotice, escapeHtml } from '../cart-notices.tsx'
import { couponNotice } from '../coupon-notices.ts'
import { currentCart, tellCart } from '../fragments.tsx'
import { isSameOrigin } from '../origin-check.ts'
import { privatePage } from '../page-answer.tsx'
import { refererPath, seeOther } from '../redirect.ts'
import { settleCart } from '../settle-cart.ts'
import type { Visit } from '../visit.ts'
import { setCalculatedPlace } from './shipping-calculator.ts'

const linkParameters = [
  'remove_item',
  'undo_item',
  'add-to-cart',
  'added-to-cart',
  'order_again',
  '_wpnonce',
  'remove_coupon',
]

/** The cart; its remove, restore and coupon links are addresses of the same page. */
export async function cartPage(visit: Visit): Promise<Response> {
  const changed = await followLink(visit)
  if (changed) return changed
  await settleCart(visit)
  const { cart, facts } = await currentCart(visit)
  tellCart(visit, facts)
  const nonces = await noncesFor(visit, cartNonces)
  const { t } = await visit.app.shop()
  return privatePage(
    visit,
    {
      kind: 'cart',
      script: 'cart',
      title: t('Cart'),
      robots: 'noindex',
      canonical: urls.cart(),
      payment: { cart: paymentCart(cart) },
      element: <CartPage cart={facts} nonces={nonces} />,
    },
    nonces,
  )
}

/** The cart as the wallet's scripts see it. */
export function paymentCart({ totals, needsShipping, entries, packages }: EvaluatedCart) {
  return {
    total: decimalString(totals.total),
    totalCents: totals.total.minor,
    currency: totals.currency,
    needsShipping,
    isEmpty: entries.length === 0,
    countryCode: packages[0]?.destination.country ?? '',
  }
}

async function followLink(visit: Visit): Promise<Response | null> {
  const query = visit.url.searchParams
  const back = async (extra: Record<string, string> = {}) => {
    // The page that follows may be one of everybody's: its cart is found by the cookies alone.
    tellCart(visit, (await currentCart(visit)).facts)
    const path = refererPath(visit.request, undefined, urls.cart(), [...linkParameters, 'removed_item'])
    const url = new URL(path, visit.url)
    for (const [name, value] of Object.entries(extra)) url.searchParams.set(name, value)
    return seeOther(url.pathname + url.search)
  }
  const { t } = await visit.app.shop()
  const coupon = query.get('remove_coupon')
  if (coupon !== null) {
    const removed = await visit.change((state) => {
      const next = withoutCoupon(state, coupon)
      return { state: next, result: next !== state }
    })
    if (removed) await visit.addNotice({ kind: 'success', html: escapeHtml(t('Coupon has been removed.')) })
    return back()
  }
  const remove = query.get('remove_item')
  const undo = query.get('undo_item')
  if (remove === null && undo === null) return null
  if (!(await visit.isNonce(query.get('_wpnonce'), 'woocommerce-cart'))) return back()
  if (remove !== null) {
    const before = await currentCart(visit)
    const line = before.facts.lines.find(({ key }) => key === remove)
    await visit.change((state) => ({ state: withoutLine(state, remove), result: undefined }))
    if (line) {
      const restore = urls.cart({ undo_item: remove, _wpnonce: await visit.nonce('woocommerce-cart') })
      const link = `<a href="${escapeHtml(restore)}" class="restore-item">${escapeHtml(t('Undo?'))}</a>`
      await visit.addNotice({ kind: 'success', html: `${escapeHtml(t('“%s” removed.', line.name))} ${link}` })
    }
    return back({ removed_item: '1' })
  }
  if (undo !== null) await visit.change((state) => ({ state: withRestoredLine(state, undo), result: undefined }))
  return back()
}

/** The cart's forms: quantities, coupon, calculator. Each change is told and shown on the page that follows. */
export async function cartForm(visit: Visit): Promise<Response> {
  if (!isSameOrigin(visit.request, visit.app.tools.publicUrl)) return new Response('Foreign form', { status: 403 })
  const fields = await visit.fields()
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined)
  const { tools } = visit.app
  const shop = await visit.app.shop()
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
    const { session, result } = await applyCoupon(tools, await visit.session(), code)
    visit.adopt(session)
    await visit.addNotice(couponNotice(shop, code, result))
  }
  const submitted = ['apply_coupon', 'update_cart', 'proceed'].some((name) => text(name) !== undefined)
  if (submitted && (await visit.isNonce(cartNonce, 'woocommerce-cart'))) {
    const { facts } = await currentCart(visit)
    const quantities = new Map<string, number>()
    for (const line of facts.lines) {
      const posted = quantityIn(fields, line.key)
      if (posted === null || posted === line.quantity) continue
      if (line.soldIndividually && posted > 1) {
        await visit.addNotice(errorNotice(shop.t('You can only have 1 %s in your cart.', line.name)))
      } else if (posted > 0 && line.maxQuantity !== null && posted > line.maxQuantity) {
        await visit.addNotice(
          errorNotice(shop.t('Sorry, we have only %s of “%s” in stock.', line.maxQuantity, line.name)),
        )
        if (line.maxQuantity > 0) quantities.set(line.key, line.maxQuantity)
      } else quantities.set(line.key, posted)
    }
    const changed = await visit.change((state) => {
      const next = withQuantities(state, quantities)
      return { state: next, result: next !== state }
    })
    if (text('proceed') !== undefined) return seeOther(urls.checkout())
    if (changed) await visit.addNotice({ kind: 'success', html: escapeHtml(shop.t('Cart updated.')) })
  }
  return seeOther(refererPath(visit.request, text('_wp_http_referer'), urls.cart(), linkParameters))
}

/** The posted pieces of a line: null when nothing usable was posted. */
function quantityIn(fields: Readonly<Record<string, unknown>>, key: string): number | null {
  const { cart } = fields
  const line = typeof cart === 'object' && cart !== null ? (cart as Record<string, unknown>)[key] : undefined
  const qty = typeof line === 'object' && line !== null ? (line as Record<string, unknown>).qty : undefined
  if (typeof qty !== 'string') return null
  const digits = qty.replace(/[^0-9.]/g, '')
  const pieces = Math.trunc(Number(digits))
  return digits === '' || !Number.isSafeInteger(pieces) ? null : pieces
}
