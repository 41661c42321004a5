import type { CartProduct } from '#database/cart/cart-products.ts'
import type { CartFacts } from '#shop/cart/cart-facts.ts'
import { describeCart } from '#shop/cart/describe-cart.ts'
import type { EvaluatedCart } from '#shop/cart/evaluated-cart.ts'
import { quoteCart } from '#shop/cart/quote-cart.ts'
import { renderPart } from '#web/pages/shared/render.tsx'
import { CartCount, MiniCart } from '#web/parts/cart/mini-cart.tsx'
import type { Visit } from '../http/visit.ts'

/** Computes the visitor's current cart, as facts for pages and parts. */
export async function currentCart(
  visit: Visit,
  known?: ReadonlyMap<number, CartProduct>,
): Promise<{ cart: EvaluatedCart; facts: CartFacts }> {
  const { tools } = visit.app
  const session = await visit.session()
  const cart = await quoteCart(tools, session.id, session.state, known)
  return { cart, facts: await describeCart(tools, cart, visit.nonceIn(session, 'woocommerce-cart')) }
}

/** Answers add, remove and refresh: markup by selector, and the cart's hash, also in the cookies that scripts read. */
export async function fragmentsAnswer(visit: Visit, known?: ReadonlyMap<number, CartProduct>): Promise<Response> {
  const { facts } = await currentCart(visit, known)
  const shop = await visit.app.shop()
  const body = JSON.stringify({
    fragments: {
      'div.widget_shopping_cart_content': renderPart(shop, <MiniCart cart={facts} />, 'mini-cart'),
      'span.cart-count': renderPart(shop, <CartCount count={facts.count} />, 'cart-count'),
    },
    cart_hash: facts.hash,
  })
  setCartCookies(visit, facts)
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}

/** Updates the two cart cookies after a purchase; another tab may have added products. */
export async function updateCartCookies(visit: Visit): Promise<void> {
  const { lines } = (await visit.session()).state
  setCartCookies(visit, lines.length === 0 ? { hash: '', lines: [] } : (await currentCart(visit)).facts)
}

/** Sets or deletes the two cookies with existence and hash of the cart, where they differ from the received ones. */
export function setCartCookies(visit: Visit, { hash, lines }: Pick<CartFacts, 'hash' | 'lines'>): void {
  const security = visit.app.secure ? '; Secure' : ''
  const items = lines.length > 0 ? '1' : ''
  for (const [name, value] of [
    ['woocommerce_items_in_cart', items],
    ['woocommerce_cart_hash', hash],
  ] as const) {
    if ((visit.cookie(name) ?? '') === value) continue
    visit.setCookie(
      value
        ? `${name}=${value}; Path=/; SameSite=Lax${security}`
        : `${name}=; Path=/; Max-Age=0; SameSite=Lax${security}`,
    )
  }
}
