import { cartRefreshInput } from '#contract/calls/payment-cart-refresh.ts'
import { defineCall } from '../call.ts'
import { currentCart } from '../fragments.tsx'
import { paymentCart } from '../pages/cart.tsx'
import { walletQuery } from '../script-settings.ts'

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
  async answer(visit) {
    const { cart } = await currentCart(visit)
    return Response.json({
      cart: paymentCart(cart),
      queryParams: walletQuery(visit.app),
      nonce: await visit.nonce('wp_rest'),
    })
  },
})
