import { updateShippingMethodInput } from '#contract/cart/messages.ts'
import { withChosenShipping } from '#shop/shipping/choose-shipping.ts'
import { cartTotalsAnswer } from '../../cart/cart-answer.tsx'
import { currentCart } from '../../cart/fragments.tsx'
import { defineCall } from '../shared/define-call.ts'

/** `update_shipping_method`: saves the visitor's choice per package; returns the totals. */
export const updateShippingMethodCall = defineCall({
  name: 'update_shipping_method',
  door: 'wc-ajax',
  method: 'POST',
  input: updateShippingMethodInput,
  output: 'html',
  identity: 'own-session',
  idempotency: 'natural',
  load: 'cart',
  cache: 'private-no-store',
  forgery: { nonce: 'update-shipping-method', field: 'security' },
  async answer(visit, { shipping_method }) {
    const { cart } = await currentCart(visit)
    await visit.change(
      (state) => ({ state: withChosenShipping(state, shipping_method, cart.packages), result: undefined }),
      'S4',
    )
    return cartTotalsAnswer(visit)
  },
})
