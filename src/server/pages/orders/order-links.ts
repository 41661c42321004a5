import { numberIn } from '#contract/shared/number-text.ts'
import { urls } from '#contract/shared/urls.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { reorderItems } from '#shop/cart/reorder.ts'
import type { OrderNonces } from '#shop/customers/read-account.ts'
import { cancelOrder } from '#shop/orders/cancel-order.ts'
import { currentCart, setCartCookies } from '../../cart/fragments.tsx'
import { refererPath, seeOther } from '../../http/redirect.ts'
import { sameText } from '../../http/security/nonce.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice, escapeHtml, refusalNotice } from '../../notices/cart-notices.tsx'

const cancelAction = 'woocommerce-cancel_order'
const againAction = 'woocommerce-order_again'

/** Returns the nonces of the links on this visitor's order pages. */
export async function orderNonces(visit: Visit): Promise<OrderNonces> {
  return { cancel: await visit.nonce(cancelAction), again: await visit.nonce(againAction) }
}

/** Handles the links that reorder or cancel an order; they are addresses of the cart. Null: any other address. */
export async function followOrderLink(visit: Visit): Promise<Response | null> {
  const query = visit.url.searchParams
  const again = query.get('order_again')
  if (again !== null) return buyAgain(visit, numberIn(again) ?? 0)
  if (query.get('cancel_order') !== null) return cancel(visit, numberIn(query.get('order_id') ?? undefined) ?? 0)
  return null
}

async function buyAgain(visit: Visit, orderId: number): Promise<Response> {
  if (!(await visit.isNonce(visit.url.searchParams.get('_wpnonce'), againAction))) return seeOther(urls.cart())
  const result = await reorderItems(visit.app.tools, await visit.session(), orderId)
  if (!result) return seeOther(urls.cart())
  visit.adopt(result.session)
  const shop = await visit.app.shop()
  const notices = result.refused.flatMap(({ name, refusal }): NoticeFacts[] => {
    const reasons = refusal ? refusalNotice(shop, refusal) : []
    return reasons.length > 0 ? reasons : [errorNotice(shop.t('“%s” is no longer sold.', name))]
  })
  if (result.added > 0) {
    const text = shop.t('The cart has been filled with the items from your previous order.')
    notices.push({ kind: 'success', html: escapeHtml(text) })
  }
  await visit.addNotice(...notices)
  setCartCookies(visit, (await currentCart(visit)).facts)
  return seeOther(urls.cart())
}

async function cancel(visit: Visit, orderId: number): Promise<Response> {
  const query = visit.url.searchParams
  const fallback = (await visit.customerId()) === null ? urls.cart() : urls.orders()
  const back = refererPath(visit.request, query.get('redirect') || fallback, fallback, [])
  if (!(await visit.isNonce(query.get('_wpnonce'), cancelAction))) return seeOther(back)
  const key = query.get('order') ?? ''
  const outcome = await cancelOrder(visit.app.tools, orderId, (order) => sameText(key, order.key))
  const { t } = await visit.app.shop()
  if (outcome === 'cancelled') {
    await visit.addNotice({ kind: 'notice', html: escapeHtml(t('Your order was canceled.')) })
  } else if (outcome === 'too-late') {
    await visit.addNotice(errorNotice(t('This order can no longer be canceled. Please contact us if you need help.')))
  } else await visit.addNotice(errorNotice(t('This order was not found.')))
  return seeOther(back)
}
