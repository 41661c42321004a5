import { storeCart, storeExtensionsInput } from '#contract/cart/store-cart.ts'
import { storeCall } from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'

/** `cart/extensions`: the shop has no extensions, so that every namespace is unknown. */
export const storeCartExtensionsCall = storeCall({
  name: 'cart/extensions',
  method: 'POST',
  summary: 'Pass data to an extension',
  tag: 'cart',
  about: 'cart',
  input: storeExtensionsInput,
  output: storeCart,
  async answer(_, { namespace }) {
    const message = `There is no extension with the namespace ${namespace}.`
    throw new StoreError(400, 'woocommerce_rest_cart_extensions_error', message)
  },
})
