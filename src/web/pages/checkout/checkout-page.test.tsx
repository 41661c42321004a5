import { describe, expect, it } from 'vitest'
import { aCart } from '#tests/support/cart/cart-page-fixtures.ts'
import { aCheckout, aField } from '#tests/support/checkout/checkout-page-fixtures.ts'
import { aShop } from '#tests/support/shared/page-fixtures.ts'
import { select, textOf, theOne } from '#tests/support/shared/rendered-markup.ts'
import { renderPart } from '../shared/render.tsx'
import { CheckoutPage } from './checkout-page.tsx'

const NONCES = { 'woocommerce-process_checkout': 'cccccccccc' }
const page = (over = {}) => renderPart(aShop(), <CheckoutPage facts={aCheckout(over)} nonces={NONCES} />)

describe('the checkout page', () => {
  it('is one form that a browser can post by itself', () => {
    const form = theOne(page(), 'form.checkout.woocommerce-checkout[name=checkout]')
    expect(form.attributes).toMatchObject({ method: 'post', action: '/checkout/', 'aria-label': 'Checkout' })
    expect(form.attributes).toHaveProperty('novalidate')
    expect(theOne(form, 'input[name=woocommerce-process-checkout-nonce]').attributes.value).toBe('cccccccccc')
    expect(theOne(form, 'input[type=hidden][name=intention]').attributes.value).toBe(aCheckout().intention)
    expect(theOne(form, 'input[type=hidden][name=ppcp_paypal_order_id]').attributes.value).toBe('')
    expect(select(form, 'noscript button[name=woocommerce_checkout_update_totals]')).toHaveLength(1)
    expect(
      theOne(form, 'button#place_order.button.alt[name=woocommerce_checkout_place_order]').attributes,
    ).toMatchObject({
      type: 'submit',
      value: 'Place order',
      'data-value': 'Place order',
    })
  })

  it('names the fields and rows as the public interface does', () => {
    const form = theOne(page(), 'form.checkout')
    const billing = select(form, 'div.woocommerce-billing-fields > div.woocommerce-billing-fields__field-wrapper > p')
    expect(billing.map(({ attributes }) => attributes.id)).toEqual(
      'first_name last_name company country address_1 address_2 city state postcode phone email'
        .split(' ')
        .map((key) => `billing_${key}_field`),
    )
    const shipping =
      'div.woocommerce-shipping-fields > div.shipping_address > div.woocommerce-shipping-fields__field-wrapper'
    expect(select(form, `${shipping} > p`)).toHaveLength(9)
    expect(select(form, 'h3#ship-to-different-address input#ship-to-different-address-checkbox')).toHaveLength(1)
    expect(select(form, 'p#order_comments_field.notes textarea[name=order_comments]')).toHaveLength(1)
    expect(theOne(form, 'p#billing_email_field').attributes).toMatchObject({
      class: 'form-row form-row-wide validate-required validate-email',
      'data-priority': '110',
    })
    expect(theOne(form, 'p#billing_email_field > span.woocommerce-input-wrapper > input').attributes).toMatchObject({
      id: 'billing_email',
      name: 'billing_email',
      type: 'email',
      class: 'input-text',
      'aria-required': 'true',
    })
    expect(select(form, 'select#billing_country.country_to_state.country_select')).toHaveLength(1)
    expect(select(form, 'select#billing_state.state_select[data-input-classes]')).toHaveLength(1)
    expect(textOf(theOne(form, 'p#billing_company_field label > span.optional'))).toBe('(optional)')
    expect(select(form, 'p#billing_first_name_field label.required_field > span.required')).toHaveLength(1)
  })

  it('keeps a hidden state field in the form and out of sight', () => {
    const state = aField({ id: 'billing_state', label: 'State', type: 'state', required: false, hidden: true })
    const html = page({ billing: [state] })
    expect(theOne(html, 'p#billing_state_field').attributes).toHaveProperty('hidden')
    expect(theOne(html, 'input#billing_state').attributes).toMatchObject({ type: 'hidden', class: 'hidden' })
  })

  it('shows the order beside the form', () => {
    const review = theOne(page(), 'div#order_review.woocommerce-checkout-review-order')
    const table = theOne(review, 'table.shop_table.woocommerce-checkout-review-order-table')
    expect(select(table, 'tr.cart_item > td.product-name strong.product-quantity').map(textOf)).toEqual(['× 2', '× 1'])
    // The row header names the price for screen readers.
    expect(select(table, 'tr.cart_item > td.product-name[role=rowheader]')).toHaveLength(2)
    expect(select(table, 'tfoot > tr').map(({ attributes }) => attributes.class?.split(' ').at(-1))).toEqual([
      'cart-subtotal',
      'coupon-welcome10',
      'shipping',
      'tax-rate-us-ca-tax-1',
      'order-total',
    ])
    // The calculator is a form, and forms do not nest.
    expect(select(review, 'form')).toHaveLength(0)
  })

  it('offers the payment methods, each with its box', () => {
    const payment = theOne(page(), 'div#payment.woocommerce-checkout-payment')
    const methods = select(payment, 'ul.wc_payment_methods.payment_methods.methods > li.wc_payment_method')
    expect(methods.map(({ attributes }) => attributes.class)).toEqual([
      'wc_payment_method payment_method_ppcp',
      'wc_payment_method payment_method_cod',
    ])
    expect(theOne(payment, 'input#payment_method_ppcp.input-radio[name=payment_method]').attributes).toMatchObject({
      value: 'ppcp',
      'data-order_button_text': 'Pay with PayPal',
      checked: '',
    })
    expect(select(payment, 'div.payment_box.payment_method_cod')).toHaveLength(1)
  })

  it('CHK-01 says of what a way to pay, or to ship, is a choice', () => {
    const groups = select(page(), '[role=radiogroup]').map(({ attributes }) => attributes['aria-label'])
    expect(groups).toEqual(['Shipping', 'Payment'])
  })

  it('asks for no payment when there is nothing to pay', () => {
    expect(select(page({ cart: aCart({ needsPayment: false }) }), 'ul.wc_payment_methods')).toHaveLength(0)
  })

  it('asks for the terms, and remembers that they were accepted', () => {
    const terms = theOne(page({ termsAccepted: true }), 'p.form-row.validate-required > label > input#terms')
    expect(terms.attributes).toMatchObject({ type: 'checkbox', name: 'terms', checked: '' })
    expect(theOne(page(), 'input[name=terms-field]').attributes.value).toBe('1')
    expect(select(page({ terms: false }), 'input[name=terms-field]')).toHaveLength(0)
  })

  it('says that the payment is ready, and how to step back', () => {
    const html = page({ ready: { walletOrderId: '5O190127TN364715T', cancelUrl: '/checkout/wallet-cancel/' } })
    expect(select(html, '.wc-ppcp-order-review-message__container')).toHaveLength(1)
    expect(theOne(html, 'a.wc-ppcp-cancel__payment').attributes.href).toBe('/checkout/wallet-cancel/')
    expect(theOne(html, 'input[name=ppcp_paypal_order_id]').attributes.value).toBe('5O190127TN364715T')
  })

  it('has the coupon form before the checkout form, closed', () => {
    const html = page()
    expect(theOne(html, 'a.showcoupon').attributes).toMatchObject({
      role: 'button',
      'aria-controls': 'woocommerce-checkout-form-coupon',
      'aria-expanded': 'false',
    })
    expect(theOne(html, 'form#woocommerce-checkout-form-coupon.checkout_coupon').attributes).toHaveProperty('hidden')
    expect(html.indexOf('checkout_coupon')).toBeLessThan(html.indexOf('name="checkout"'))
  })

  it('leaves shipping out of an order that needs none', () => {
    const html = page({ cart: aCart({ needsShipping: false, totals: { ...aCart().totals, packages: [] } }) })
    expect(select(html, 'div.woocommerce-shipping-fields')).toHaveLength(0)
    expect(select(html, 'tr.shipping')).toHaveLength(0)
  })

  it('CHK-03 the wallet’s button stands beside the one that it replaces, or within its method', () => {
    const island = 'vitrine-island[name=wallet-buttons]'
    const beside = page()
    expect(select(beside, `div.place-order ${island}`)).toHaveLength(1)
    expect(select(beside, `ul.wc_payment_methods ${island}`)).toHaveLength(0)
    const { wallet } = aShop()
    const shop = aShop({ wallet: { ...wallet, buttonPlacement: 'payment_method' } })
    const within = renderPart(shop, <CheckoutPage facts={aCheckout()} nonces={NONCES} />)
    expect(select(within, `div.place-order ${island}`)).toHaveLength(0)
    expect(select(within, `div.payment_box.payment_method_ppcp ${island}`)).toHaveLength(1)
  })

  it('CHK-03: where the wallet’s button does not load, the button is named that is there in its place', () => {
    const words = 'The PayPal button could not be loaded. “Pay with PayPal” takes you to PayPal instead.'
    expect(page()).toContain(words)
    const { wallet } = aShop()
    const shop = aShop({ wallet: { ...wallet, buttonPlacement: 'payment_method' } })
    expect(renderPart(shop, <CheckoutPage facts={aCheckout()} nonces={NONCES} />)).toContain(words)
  })

  it('ADDR-01: what is typed is read from its own side in every language', () => {
    const html = page({ shipToDifferent: true })
    const sides = Object.fromEntries(
      [
        'billing_first_name',
        'billing_address_1',
        'billing_city',
        'billing_postcode',
        'billing_phone',
        'billing_email',
      ].map((id) => [id.slice(8), theOne(html, `#${id}`).attributes.dir]),
    )
    expect(sides).toEqual({
      first_name: 'auto',
      address_1: 'auto',
      city: 'auto',
      postcode: 'ltr',
      phone: 'ltr',
      email: 'ltr',
    })
    expect(theOne(html, '#order_comments').attributes.dir).toBe('auto')
  })

  it('CHK-12 carries the provider’s order and tokens in hidden fields', () => {
    for (const name of ['ppcp_paypal_order_id', 'ppcp_billing_token', 'ppcp_payment_token']) {
      expect(theOne(page(), `form.checkout input[type=hidden][name=${name}]`).attributes.value).toBe('')
    }
  })

  it('CHK-01 CHK-10 has an account’s fields below the address, as far as the shop asks for them', () => {
    const offer = { kind: 'open', forced: false, asksUsername: true, asksPassword: true } as const
    const account = { offer, wanted: true, username: 'ida', logInForm: true }
    const html = page({ account })
    const fields = theOne(html, 'div.woocommerce-account-fields')
    expect(theOne(fields, 'p.create-account input#createaccount[name=createaccount]').attributes).toHaveProperty(
      'checked',
    )
    expect(theOne(fields, 'div.create-account input#account_username').attributes.value).toBe('ida')
    expect(theOne(fields, 'div.create-account input#account_password').attributes.type).toBe('password')
    expect(select(html, 'div.woocommerce-form-login-toggle a.showlogin[aria-controls]')).toHaveLength(1)
    expect(theOne(html, 'form.woocommerce-form-login.login').attributes).toMatchObject({
      action: '/my-account/',
      hidden: '',
    })
    const bare = page({
      account: { ...account, offer: { ...offer, forced: true, asksUsername: false }, logInForm: false },
    })
    expect(select(bare, '#createaccount')).toHaveLength(0)
    expect(select(bare, '#account_username')).toHaveLength(0)
    expect(select(bare, '#account_password')).toHaveLength(1)
    expect(select(bare, '.showlogin')).toHaveLength(0)
    expect(select(page(), '.woocommerce-account-fields')).toHaveLength(0)
  })
})
