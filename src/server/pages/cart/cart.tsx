import { urls } from '#contract/shared/urls.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import type { EvaluatedCart } from '#shop/cart/evaluated-cart.ts'
import { crossSells, suggestions } from '#shop/catalog/read-cross-sells.ts'
import { recentOrder } from '#shop/orders/recent-order.ts'
import { needsSetupToken } from '#shop/payments/vault/needs-setup-token.ts'
import { CartPage } from '#web/pages/cart/cart-page.tsx'
import { cartNonces, noncesFor } from '../../cart/cart-answer.tsx'
import { setCartCookies } from '../../cart/fragments.tsx'
import { settleCart } from '../../cart/settle-cart.ts'
import { payingCart } from '../../checkout/charged-cart.ts'
import type { Visit } from '../../http/visit.ts'
import { privatePage } from '../shared/page-answer.tsx'
import { followCartLink } from './cart-link.ts'

/** Answers with the cart; its remove, restore and coupon links are addresses of the same page. */
export async function cartPage(visit: Visit): Promise<Response> {
  const changed = await followCartLink(visit)
  if (changed) return changed
  await settleCart(visit)
  const { cart, facts, charged } = await payingCart(visit)
  setCartCookies(visit, facts)
  const { tools } = visit.app
  const isEmpty = facts.lines.length === 0
  const [nonces, products, placed] = await Promise.all([
    noncesFor(visit, cartNonces),
    isEmpty ? suggestions(tools) : crossSells(tools, cart.entries),
    isEmpty ? recentOrder(tools, await visit.session()) : null,
  ])
  // Shown once: a reload does not repeat the rejected input.
  await visit.change((state) => ({
    state: state.refusedPlace ? { ...state, refusedPlace: null } : state,
    result: null,
  }))
  const { t } = await visit.app.shop()
  return privatePage(
    visit,
    {
      kind: 'cart',
      script: 'cart',
      title: t('Cart'),
      description: t('The products you have chosen, what they cost and the way to the checkout.'),
      // Search engines keep no cookies, so they see only the empty cart; a filled one is private.
      ...(isEmpty ? { robots: 'noindex' } : {}),
      canonical: urls.cart(),
      payment: { cart: paymentCart(charged) },
      element: <CartPage cart={facts} nonces={nonces} products={products} placed={placed} />,
    },
    nonces,
  )
}

/** Returns the facts of the cart for the wallet's scripts. @param cart in the charged currency */
export function paymentCart(cart: EvaluatedCart) {
  const { totals, needsShipping, entries, packages } = cart
  return {
    total: decimalString(totals.total),
    totalCents: totals.total.minor,
    currency: totals.currency,
    needsShipping,
    isEmpty: entries.length === 0,
    countryCode: packages[0]?.destination.country ?? '',
    needsSetupToken: needsSetupToken(cart),
  }
}
