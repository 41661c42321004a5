import { cartParams, pageHtml } from './fixture-shop.ts'
import { aScene, eventually, listenFor } from './scene.ts'

const settings = {
  wc_checkout_params: {
    ...cartParams,
    update_order_review_nonce: 'n-review',
    apply_coupon_nonce: 'n-apply',
    remove_coupon_nonce: 'n-remove',
    option_guest_checkout: 'yes',
    checkout_url: '/?wc-ajax=checkout',
    is_checkout: '1',
    i18n_checkout_error: 'Something went wrong. See your <a href="/orders/">orders</a>.',
  },
}

const row = (id: string, classes: string, label: string, value = '') =>
  `<p class="form-row ${classes}" id="${id}_field"><label for="${id}">${label}</label><span class="woocommerce-input-wrapper"><input class="input-text" id="${id}" name="${id}" value="${value}"></span></p>`
const table = (total: string) =>
  `<table class="woocommerce-checkout-review-order-table"><tbody><tr><td class="total">${total}</td></tr></tbody></table>`
const payment = (
  note = '',
) => `<div id="payment" class="woocommerce-checkout-payment"><ul class="wc_payment_methods payment_methods methods">
  <li class="wc_payment_method"><input type="radio" class="input-radio" name="payment_method" id="payment_method_cod" value="cod" checked data-order_button_text="Order now"><label for="payment_method_cod">Cash</label><div class="payment_box payment_method_cod">Pay the courier. ${note}</div></li>
  <li class="wc_payment_method"><input type="radio" class="input-radio" name="payment_method" id="payment_method_ppcp" value="ppcp" data-order_button_text=""><label for="payment_method_ppcp">Wallet</label><div class="payment_box payment_method_ppcp">By wallet</div></li></ul>
  <input type="checkbox" id="terms" name="terms"><label for="terms">Terms</label><input type="hidden" id="ppcp_paypal_order_id" name="ppcp_paypal_order_id" value="">
  <button type="submit" id="place_order" data-value="Place order" value="Place order">Place order</button></div>`
/** The markup of a checkout with two payment methods. */
export const checkoutBody = `<a href="#" role="button" class="showcoupon" aria-expanded="false">Have a coupon?</a>
<form class="checkout_coupon" method="post" hidden><p><input class="input-text" id="coupon_code" name="coupon_code" aria-label="Coupon code"></p><button name="apply_coupon" value="1">Apply</button></form>
<form name="checkout" method="post" class="checkout woocommerce-checkout" action="/checkout/">
<div class="woocommerce-billing-fields">${row('billing_first_name', 'validate-required', 'First name', 'Ada')}${row('billing_email', 'validate-required validate-email', 'Email', 'ada@shop.test')}
${row('billing_phone', 'validate-phone', 'Phone')}${row('billing_country', 'address-field', 'Country', 'US')}${row('billing_city', 'address-field validate-required', 'City', 'Springfield')}${row('billing_postcode', 'address-field validate-required', 'Postcode', '12345')}</div>
<h3 id="ship-to-different-address"><label><input type="checkbox" name="ship_to_different_address" value="1"> Elsewhere</label></h3>
<div class="shipping_address">${row('shipping_city', 'address-field validate-required', 'Shipping city')}</div>
<div id="order_review" class="woocommerce-checkout-review-order">${table('$10')}${payment()}</div></form>`
/** The response with new totals. */
export const answer = (total: string, note?: string, more: object = {}) => ({
  json: {
    result: 'success',
    messages: '',
    reload: false,
    fragments: {
      '.woocommerce-checkout-review-order-table': table(total),
      '.woocommerce-checkout-payment': payment(note),
    },
    ...more,
  },
})

export const checkoutPage = (jQuery: boolean, body = checkoutBody) =>
  pageHtml({ body, jQuery, settings, bodyClass: 'woocommerce-checkout' })

/** A scene with a checkout whose totals are answered with `answer`. */
export function aCheckoutPage() {
  const scene = aScene()
  const total = () => scene.page.locator('.woocommerce-checkout-review-order-table .total').textContent()
  return {
    scene,
    total,
    reviews: () => scene.shop.calls('update_order_review'),
    orders: () => scene.shop.calls('checkout'),
    /** Opens the checkout, waits for its first totals and listens for its events. */
    async open(jQuery: boolean, body = checkoutBody) {
      const { shop, page } = scene
      shop.on('update_order_review', () => answer('$11'))
      shop.page('/checkout/', checkoutPage(jQuery, body))
      await page.goto(`${shop.url}/checkout/`)
      await eventually(total).toBe('$11')
      await eventually(() => page.locator('.blockUI').count()).toBe(0)
      await listenFor(page, [
        'updated_checkout',
        'payment_method_selected',
        'checkout_error',
        'applied_coupon_in_checkout',
      ])
      return page
    },
  }
}

/** Cases of `describe.each`: the name of the case and whether the page has jQuery. */
export const withAndWithoutJQuery: [string, boolean][] = [
  ['without jQuery', false],
  ['with jQuery', true],
]
