import { type CartRefreshAnswer, cartRefreshInput } from '#contract/payments/cart-refresh.ts'
import { walletPages } from '#contract/payments/constants.ts'
import { currentCart } from '../../cart/fragments.tsx'
import { paymentCart } from '../../pages/cart/cart.tsx'
import { walletQuery } from '../../payments/payment-script.ts'
import { defineCall } from '../shared/define-call.ts'

/** `POST cart/refresh`: returns the visitor's part of the payment settings; a cached page gets its nonce here. */
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
      // A page of another name has at most the buttons of the mini cart.
      queryParams: walletQuery(
        visit.app,
        walletPages.find((name) => name === page) ?? 'minicart',
        cart.needsSetupToken,
      ),
      nonce: await visit.nonce('wp_rest'),
    })
  },
})
