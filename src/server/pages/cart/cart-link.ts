import { urls } from '#contract/shared/urls.ts'
import { isInStock } from '#domain/cart/stock.ts'
import { entryName } from '#shop/cart/cart-line-name.ts'
import { withoutLine } from '#shop/cart/cart-lines.ts'
import type { CartEntry } from '#shop/cart/evaluated-cart.ts'
import { restoreLine } from '#shop/cart/restore-line.ts'
import { withoutCoupon } from '#shop/coupons/apply-coupon.ts'
import { currentCart, setCartCookies } from '../../cart/fragments.tsx'
import { refererPath, seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice, escapeHtml } from '../../notices/cart-notices.tsx'

/** Parameters of links that change something; redirects leave them out. */
export const linkParameters = [
  'remove_item',
  'undo_item',
  'add-to-cart',
  'added-to-cart',
  'order_again',
  '_wpnonce',
  'remove_coupon',
] as const

/** Handles links that change the cart. Null: the address requests no change. */
export async function followCartLink(visit: Visit): Promise<Response | null> {
  const query = visit.url.searchParams
  const coupon = query.get('remove_coupon')
  if (coupon !== null) {
    await removeCoupon(visit, coupon)
    return back(visit)
  }
  const remove = query.get('remove_item')
  const undo = query.get('undo_item')
  if (remove === null && undo === null) return null
  if (!(await visit.isNonce(query.get('_wpnonce'), 'woocommerce-cart'))) return back(visit)
  if (remove !== null) {
    await removeLine(visit, remove)
    return back(visit, { removed_item: '1' })
  }
  if (undo !== null) await putBack(visit, undo)
  return back(visit)
}

async function back(visit: Visit, extra: Record<string, string> = {}): Promise<Response> {
  // The page that follows may be cached for all visitors: it finds the cart by cookies alone.
  setCartCookies(visit, (await currentCart(visit)).facts)
  const path = refererPath(visit.request, undefined, urls.cart(), [...linkParameters, 'removed_item'])
  const url = new URL(path, visit.url)
  for (const [name, value] of Object.entries(extra)) url.searchParams.set(name, value)
  return seeOther(url.pathname + url.search)
}

async function removeCoupon(visit: Visit, code: string): Promise<void> {
  const { t } = await visit.app.shop()
  const removed = await visit.change((state) => {
    const next = withoutCoupon(state, code)
    return { state: next, result: next !== state }
  }, 'S3')
  if (removed) await visit.addNotice({ kind: 'success', html: escapeHtml(t('Coupon has been removed.')) })
}

async function removeLine(visit: Visit, key: string): Promise<void> {
  const { t } = await visit.app.shop()
  const { cart } = await currentCart(visit)
  const entry = cart.entries.find(({ line }) => line.key === key)
  const removed = await visit.change((state) => {
    const next = withoutLine(state, key)
    return { state: next, result: next !== state }
  }, 'S2')
  if (!removed || !entry) return
  const text = escapeHtml(t('“%s” removed.', entryName(entry)))
  const again = t('“%s” is in your cart again.', entryName(entry))
  const restore = canBeServed(entry) ? await restoreHtml(visit, key, t('Undo?'), again) : ''
  await visit.addNotice({ kind: 'success', html: text + restore })
}

/** @param again what a script announces when the line is back */
async function restoreHtml(visit: Visit, key: string, text: string, again: string): Promise<string> {
  const url = urls.cart({ undo_item: key, _wpnonce: await visit.nonce('woocommerce-cart') })
  return ` <a href="${escapeHtml(url)}" class="restore-item" data-restored="${escapeHtml(again)}">${escapeHtml(text)}</a>`
}

/** Checks that the product can be added again, so that "Undo?" does not end in a refusal. */
function canBeServed({ product, line }: CartEntry): boolean {
  if (!isInStock(product)) return false
  if (product.stockOwner === null || product.backorders !== 'no') return true
  return (product.stockQuantity ?? 0) - product.reservedByOthers >= line.quantity
}

async function putBack(visit: Visit, key: string): Promise<void> {
  const { session, result } = await restoreLine(visit.app.tools, await visit.session(), key)
  visit.adopt(session)
  const { t } = await visit.app.shop()
  switch (result.kind) {
    case 'fewer':
      return visit.addNotice(errorNotice(t('Sorry, we have only %s of “%s” in stock.', result.pieces, result.name)))
    case 'sold-out':
      return visit.addNotice(errorNotice(t('“%s” cannot be put back: it is out of stock.', result.name)))
    case 'not-sold':
      return visit.addNotice(errorNotice(t('“%s” cannot be put back: it can no longer be purchased.', result.name)))
  }
}
