import { z } from 'zod'
import { urls } from '#contract/shared/urls.ts'
import { calls, restPath } from '#server/calls/shared/call-routes.ts'
import type { Call } from '#server/calls/shared/define-call.ts'
import { pageRoutes } from '#server/pages/shared/page-routes.ts'
import { routeAddress } from '#tests/support/shared/route-address.ts'
import type { Guest } from './guest.ts'

/** A way in that may change something, and what a request needs to be heard there. */
export type Door = {
  readonly name: string
  readonly path: string
  readonly json: boolean
  /** Names that the door reads. */
  readonly fields: readonly string[]
  /** What makes a request pass for one of our own pages'. */
  pass(guest: Guest): { headers: Record<string, string>; fields: Record<string, string> }
}

/** What the form at each address reads. */
export const formFields: Readonly<Record<string, readonly string[]>> = {
  '/product/:slug/': ['add-to-cart', 'quantity', 'variation_id', 'attribute_pa_colour', 'product_id'],
  '/cart/': ['cart', 'coupon_code', 'calc_shipping_country', 'calc_shipping_postcode', 'calc_shipping_state'],
  '/checkout/': ['billing_email', 'billing_country', 'payment_method', 'ppcp_paypal_order_id', 'coupon_code'],
  '/checkout/wallet-start/': ['add-to-cart', 'quantity'],
  '/checkout/order-pay/:id{[1-9][0-9]{0,14}}/': ['woocommerce_pay', 'payment_method', 'terms', 'email'],
  '/checkout/order-received/:id{[1-9][0-9]{0,14}}/': ['email'],
  '/my-account/': ['username', 'password', 'email', 'redirect', 'rememberme'],
  '/my-account/edit-address/:kind{billing|shipping}/': ['billing_country', 'billing_postcode', 'billing_email'],
  '/my-account/edit-account/': ['account_email', 'account_display_name', 'password_1'],
  '/my-account/confirm-email/': ['confirm', 'send', 'confirm-email-nonce'],
  '/my-account/privacy/': [
    'action',
    'password_current',
    'erase_sure',
    'end_login_0123456789abcdef',
    'account-privacy-nonce',
  ],
  '/my-account/second-factor/': ['action', 'code', 'password_current', 'redirect', 'second-factor-nonce'],
  '/my-account/lost-password/': ['user_login', 'reset_login', 'password_1'],
  '/currency/': ['currency', '_wp_http_referer'],
  '/translate/texts/': ['do', 'id', 'said', 'revision', 'approve', 'language', 's', 'security'],
  '/my-account/add-payment-method/': ['payment_method', 'ppcp_payment_token', 'ppcp_card_payment_token'],
}

/** Every call and every form of the shop, read from its own route lists. */
export function everyEndpoint(order: { id: number; key: string }): Door[] {
  const forms = pageRoutes.filter(({ method }) => method === 'POST')
  return [
    ...calls.filter(({ method }) => method === 'POST').map(doorOfCall),
    ...forms.map(({ path }): Door => {
      const fields = formFields[path]
      if (!fields) throw new Error(`say in doors.ts what the form at ${path} reads`)
      const address = routeAddress(path, { slug: 'plain-mug', id: order.id })
      return {
        name: `form ${path}`,
        path: path.includes(':id') ? `${address}?key=${order.key}` : address,
        json: false,
        fields,
        pass: (guest) => ({
          headers: {},
          fields: {
            ...(path === '/cart/' ? { update_cart: '1', calc_shipping: '1' } : {}),
            'woocommerce-cart-nonce': guest.nonce('woocommerce-cart'),
            'woocommerce-process-checkout-nonce': guest.nonce('woocommerce-process_checkout'),
            check_submission: guest.nonce('wc_verify_email'),
            ...(path === '/my-account/'
              ? { login: '1', 'woocommerce-login-nonce': guest.nonce('woocommerce-login') }
              : {}),
            ...(path === '/my-account/lost-password/'
              ? { 'woocommerce-lost-password-nonce': guest.nonce('lost_password') }
              : {}),
          },
        }),
      }
    }),
  ]
}

function doorOfCall(call: Call): Door {
  const { name, door, forgery, input } = call
  const inputFields = input instanceof z.ZodObject ? Object.keys(input.shape) : ['billing_email', 'payment_method']
  return {
    name,
    path:
      door === 'rest'
        ? routeAddress(restPath(call))
        : door === 'admin-ajax'
          ? `${urls.adminAjax}?action=${name}`
          : `/?wc-ajax=${name}`,
    json: door === 'rest',
    fields: inputFields,
    pass(guest) {
      if ('header' in forgery) return { headers: { 'X-WP-Nonce': guest.nonce('wp_rest') }, fields: {} }
      if ('nonce' in forgery) return { headers: {}, fields: { [forgery.field]: guest.nonce(forgery.nonce) } }
      if ('checkedByCall' in forgery) {
        return { headers: {}, fields: { 'woocommerce-process-checkout-nonce': guest.nonce(forgery.checkedByCall) } }
      }
      return { headers: {}, fields: {} }
    },
  }
}
