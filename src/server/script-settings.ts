import { printedSettings, type ScriptSettings } from '#contract/browser-settings.ts'
import { effectiveClientId, type PaymentSettings } from '#contract/payment-settings.ts'
import type { WalletPage } from '#contract/payment-words.ts'
import { urls } from '#contract/urls.ts'
import { shortDigest } from '#shop/digest.ts'
import type { ShopContextValue } from '#web/parts/shop-context.tsx'
import type { Application } from './application.ts'

/** Which page the scripts find themselves on. */
export type ScriptPage = 'other' | 'listing' | 'product' | 'cart' | 'checkout'

/** What is the visitor's own and stands on private pages only: nonces by action. */
export type OwnSettings = { readonly nonces: Readonly<Record<string, string>>; readonly cspNonce: string }

type ShopText = ShopContextValue['t']

/** The settings objects that a page prints for scripts, as far as that page needs them. */
export function scriptSettings(
  app: Application,
  page: ScriptPage,
  t: ShopText,
  own: OwnSettings | null,
  payment: Partial<Pick<PaymentSettings, 'cart' | 'product'>> = {},
): Record<string, unknown> {
  const { settings } = app.tools
  const site = shortDigest(`1_${app.tools.publicUrl}_vitrine`)
  const ajax = { ajax_url: urls.adminAjax, wc_ajax_url: urls.wcAjaxTemplate }
  const objects: Partial<ScriptSettings> = {
    woocommerce_params: { ...ajax, i18n_password_show: t('Show password'), i18n_password_hide: t('Hide password') },
    wc_add_to_cart_params: {
      ...ajax,
      i18n_view_cart: t('View cart'),
      cart_url: urls.cart(),
      is_cart: page === 'cart' ? '1' : '',
      cart_redirect_after_add: settings.redirectAfterAdd ? 'yes' : 'no',
    },
    wc_cart_fragments_params: {
      ...ajax,
      cart_hash_key: `wc_cart_hash_${site}`,
      fragment_name: `wc_fragments_${site}`,
      request_timeout: '5000',
    },
  }
  if (page === 'product') {
    objects.wc_add_to_cart_variation_params = {
      wc_ajax_url: urls.wcAjaxTemplate,
      i18n_no_matching_variations_text: t('There is no product with this combination. Please choose another one.'),
      i18n_make_a_selection_text: t('Please choose the options of this product first.'),
      i18n_unavailable_text: t('This combination cannot be bought at the moment. Please choose another one.'),
      i18n_reset_alert_text: t('Your choice was cleared. Please choose the options of this product.'),
    }
  }
  const nonce = (action: string) => own?.nonces[action] ?? ''
  if (page === 'cart' && own) {
    objects.wc_cart_params = {
      ...ajax,
      update_shipping_method_nonce: nonce('update-shipping-method'),
      apply_coupon_nonce: nonce('apply-coupon'),
      remove_coupon_nonce: nonce('remove-coupon'),
    }
  }
  if (page === 'checkout' && own) {
    objects.wc_checkout_params = {
      ...ajax,
      update_order_review_nonce: nonce('update-order-review'),
      apply_coupon_nonce: nonce('apply-coupon'),
      remove_coupon_nonce: nonce('remove-coupon'),
      option_guest_checkout: 'yes',
      checkout_url: urls.wcAjax('checkout'),
      is_checkout: '1',
      debug_mode: '',
      i18n_checkout_error: t(
        'We could not tell whether your order went through. Please check your e-mail and payments before you try again.',
      ),
      gateways_with_custom_place_order_button: [],
    }
  }
  const printed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(objects)) printed[name] = printedSettings(value)
  if (isWalletPage(page) && walletOn(app, page))
    printed.wcPPCPSettings = { ...paymentSettingsFor(app, page, t, own), ...payment }
  return printed
}

const isWalletPage = (page: ScriptPage): page is WalletPage & ScriptPage =>
  page === 'product' || page === 'cart' || page === 'checkout'

/** Whether a page has the wallet: the provider is set up, switched on, and wanted there. */
export function walletOn(app: Application, page: string): boolean {
  const { paypal } = app.tools.settings
  return app.provider !== null && paypal.enabled && paypal.sections.includes(page)
}

function paymentSettingsFor(app: Application, page: WalletPage, t: ShopText, own: OwnSettings | null): PaymentSettings {
  const { settings } = app.tools
  const { provider } = app
  const environment = provider?.environment === 'live' ? 'production' : 'sandbox'
  const routes = ['cart/item', 'cart/order', 'cart/checkout', 'cart/refresh', 'order/pay']
  return {
    queryParams: walletQuery(app),
    generalData: {
      clientId: effectiveClientId(provider?.clientId ?? '', environment),
      environment,
      page,
      version: '1',
      restRoutes: Object.fromEntries(routes.map((route) => [route, { url: urls.paypalRest(route) }])),
      ajaxRestPath: urls.paypalRest('%s'),
      ...(provider ? { sdkUrl: provider.sdkUrl } : {}),
      ...(own ? { cspNonce: own.cspNonce, restNonce: own.nonces.wp_rest ?? '' } : {}),
    },
    ppcp_data: {
      title: 'PayPal',
      sections: settings.paypal.sections,
      funding: ['paypal'],
      buttons_order: ['paypal'],
      buttonPlacement: settings.paypal.buttonPlacement,
      buttons: { paypal: { ...settings.paypal.style, tagline: false } },
      paypalAddressDisabled: false,
      checkoutValidationEnabled: true,
      needsSetupToken: false,
    },
    errorMessages: {
      terms: t('Please accept the terms and conditions to place your order.'),
      invalid_client_id: t('The payment provider does not recognise this shop. Please choose another way to pay.'),
      invalid_currency: t('The payment provider does not take this currency.'),
      cancel: t('The payment was cancelled.'),
      order_missing_address: t('Please fill in your address.'),
      required_fields: t('Please fill in all required fields.'),
      unreachable: t('The payment provider cannot be reached at the moment. Nothing was charged; please try again.'),
    },
    i18n: { locale: '{}', locale_fields: {} },
  }
}

/** The parameters of the provider's script. They must not differ between the answers of one page. */
export function walletQuery(app: Application): Record<string, string> {
  const { settings } = app.tools
  const environment = app.provider?.environment === 'live' ? 'production' : 'sandbox'
  return {
    'client-id': effectiveClientId(app.provider?.clientId ?? '', environment),
    currency: settings.currency,
    intent: 'capture',
    commit: 'true',
    components: 'buttons',
    locale: settings.language.replace('-', '_'),
  }
}
