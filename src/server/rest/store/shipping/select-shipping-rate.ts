import { storeCart } from '#contract/cart/store-cart.ts'
import { storeSelectRateInput } from '#contract/shipping/store-shipping.ts'
import { withChosenShipping } from '#shop/shipping/choose-shipping.ts'
import { storeCall } from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'

/** `cart/select-shipping-rate` */
export const storeSelectShippingRateCall = storeCall({
  name: 'cart/select-shipping-rate',
  method: 'POST',
  summary: 'Choose a shipping rate',
  tag: 'shipping',
  about: 'cart',
  input: storeSelectRateInput,
  output: storeCart,
  async answer({ visit, tools, cart }, { package_id: packageId, rate_id: rateId }) {
    if (!tools.settings.shipping.enabled) {
      throw new StoreError(404, 'woocommerce_rest_shipping_disabled', 'Shipping is disabled.')
    }
    if (rateId === '') {
      throw new StoreError(400, 'woocommerce_rest_cart_missing_rate_id', 'A rate_id is required.')
    }
    const { packages, products } = await cart.evaluated()
    const meant = packages.filter(({ index }) => packageId === undefined || packageId === null || index === packageId)
    const offering = meant.filter(({ rates }) => rates.some(({ id }) => id === rateId))
    if (offering.length === 0) {
      const message = 'This shipping rate is not offered for the cart.'
      throw new StoreError(400, 'woocommerce_rest_invalid_shipping_option', message)
    }
    const chosen = Object.fromEntries(offering.map(({ index }) => [String(index), rateId]))
    await visit.change((state) => ({ state: withChosenShipping(state, chosen, packages), result: undefined }), 'S4')
    return { body: await cart.record(products) }
  },
})
