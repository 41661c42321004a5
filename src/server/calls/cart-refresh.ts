import { type CartRefreshAnswer, cartRefreshInput } from '#contract/calls/payment-cart-refresh.ts'
import { walletPages } from '#contract/payment-words.ts'
import { defineCall } from '../call.ts'
import { currentCart } from '../fragments.tsx'
import { paymentCart } from '../pages/cart.tsx'
import { walletQuery } from '../payment-script.ts'

/** `POST cart/refresh`: the visitor's side of the payment settings; where a cached page gets its nonce. */
export const cartRefreshCall = defineCall({
  name: 'cart/refresh',
  door: 'rest',
  method: 'POST',
  input: cartRefreshInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'safe',
  load: 'cart',
  cache: 'private-no-store',
  forgery: { none: 'wire has no nonce' },
  async answer(visit, { page }) {
    const { cart: quoted } = await currentCart(visit)
    const cart: CartRefreshAnswer['cart'] = paymentCart(quoted)
    return Response.json({
      cart,
      // A page of another name has the buttons of the mini cart, if any.
      queryParams: walletQuery(
        visit.app,
        walletPages.find((name) => name === page) ?? 'minicart',
        cart.needsSetupToken,
      ),
      nonce: await visit.nonce('wp_rest'),
    })
  },
})
