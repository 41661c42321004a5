import { renderPart } from '#web/pages/shared/render.tsx'
import { CartTotals } from '#web/parts/cart/cart-totals.tsx'
import { payingCart } from '../checkout/charged-cart.ts'
import type { Visit } from '../http/visit.ts'

/** Actions whose nonces the cart page contains. */
export const cartNonces = [
  'woocommerce-cart',
  'woocommerce-shipping-calculator',
  'update-shipping-method',
  'apply-coupon',
  'remove-coupon',
  'wp_rest',
] as const

export async function noncesFor(visit: Visit, actions: readonly string[]): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(actions.map(async (action) => [action, await visit.nonce(action)] as const)),
  )
}

/** Answers with the element `div.cart_totals` alone. */
export async function cartTotalsAnswer(visit: Visit): Promise<Response> {
  const { facts } = await payingCart(visit)
  const nonces = await noncesFor(visit, cartNonces)
  const html = renderPart(await visit.app.shop(), <CartTotals cart={facts} nonces={nonces} />, 'cart-totals')
  return new Response(html, { headers: { 'Content-Type': 'text/html; charset=UTF-8' } })
}
