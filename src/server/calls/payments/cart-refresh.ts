import { type CartRefreshAnswer, cartRefreshInput } from '#contract/payments/cart-refresh.ts'
import { walletPages } from '#contract/payments/constants.ts'
import { currentCart } from '../../cart/fragments.tsx'
import { paymentCart } from '../../pages/cart/cart.tsx'
import { walletQuery } from '../../payments/payment-script.ts'
import { defineCall } from '../shared/define-call.ts'

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
