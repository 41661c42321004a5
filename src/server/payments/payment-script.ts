import { cardMethodId, paymentRoutes, type WalletPage, walletMethodId } from '#contract/payments/constants.ts'
import { effectiveClientId, type PaymentSettings } from '#contract/payments/page-settings.ts'
import { type PayPalButtons, type PayPalMessage, walletSections } from '#contract/payments/paypal-settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { type Funding, fundings } from '#domain/payments/funding-sources.ts'
import { providerLocale } from '#domain/payments/provider-locale.ts'
import { isProviderCurrency } from '#shop/payments/operation/payment-methods.ts'
import { providerAsksShop } from '#shop/payments/wallet/express-checkout.ts'
import { chargedView } from '../currency/currency-choice.ts'
import type { Application } from '../operations/startup/application.ts'
import type { OwnSettings, Saying, ScriptPage } from '../pages/shared/script-page.ts'
import { cardSettingsFor, hasCardFields } from './card-script.ts'

/** Wallet page of each script page. Pages with password fields do not load PayPal's script. */
const walletPageOf: Readonly<Record<ScriptPage, WalletPage | null>> = {
  product: 'product',
  cart: 'cart',
  checkout: 'checkout',
  order_pay: 'order_pay',
  add_payment_method: 'add_payment_method',
  listing: 'shop',
  other: 'minicart',
  account: null,
}

/** Returns the wallet page of a script page; null: PayPal is not configured, or not wanted there. */
export function walletPage(app: Application, script: ScriptPage): WalletPage | null {
  const page = walletPageOf[script]
  const { paypal } = app.tools.settings
  if (!page || app.provider === null || !paypal.enabled) return null
  // An order has its own currency, and a saved method has none: both are checked elsewhere.
  const ofCart = page !== 'order_pay' && page !== 'add_payment_method'
  if (ofCart && !providerTakes(chargedView(app).tools)) return null
  if (hasCardFields(app, page)) return page
  if (page === 'add_payment_method' && paypal.keep) return page
  const besideThePage = page === 'checkout' ? ['express'] : page === 'cart' ? [] : ['minicart']
  const wanted = [...allSections(paypal), ...messagePlaces(paypal)]
  return [page, ...besideThePage].some((name) => wanted.includes(name)) ? page : null
}

const providerTakes = (tools: Application['tools']) =>
  isProviderCurrency(tools, walletMethodId) || isProviderCurrency(tools, cardMethodId)

const allSections = (paypal: PayPalButtons) => [...new Set(Object.values(walletSections(paypal)).flat())]

function messagePlaces({ messages }: PayPalButtons): string[] {
  return Object.entries(messages).flatMap(([name, { enabled }]) => (enabled ? [name] : []))
}

/**
 * Returns the global `wcPPCPSettings` of one page, without the facts of cart and products.
 * @param zeroTotal nothing is due, and a product requires a saved payment method
 * @param currency of the page's order; default: the currency that a cart is charged in
 */
export function paymentSettingsFor(
  app: Application,
  page: WalletPage,
  { t, path }: Saying,
  own: OwnSettings | null,
  { zeroTotal = false, currency }: { zeroTotal?: boolean; currency?: string | undefined } = {},
): PaymentSettings {
  const { paypal } = app.tools.settings
  const { provider } = app
  const environment = provider?.environment === 'live' ? 'production' : 'sandbox'
  const routes = Object.values(paymentRoutes)
  const sections = walletSections(paypal)
  const needsSetupToken = zeroTotal || page === 'add_payment_method'
  const cards = cardSettingsFor(app, page, t, needsSetupToken)
  return {
    queryParams: walletQuery(app, page, zeroTotal, currency),
    generalData: {
      clientId: effectiveClientId(provider?.clientId ?? '', environment),
      environment,
      page,
      version: '1',
      restRoutes: Object.fromEntries(routes.map((route) => [route, { url: path(urls.paypalRest(route)) }])),
      ajaxRestPath: path(urls.paypalRest('%s')),
      ...(provider ? { sdkUrl: provider.sdkUrl } : {}),
      ...(own ? { cspNonce: own.cspNonce, restNonce: own.nonces.wp_rest ?? '' } : {}),
    },
    ppcp_data: {
      title: 'PayPal',
      sections: allSections(paypal),
      funding: fundings.filter((name) => sections[name].length > 0),
      paypal_sections: [...sections.paypal],
      paylater_sections: [...sections.paylater],
      credit_card_sections: [...sections.card],
      venmo_sections: [...sections.venmo],
      buttons_order: paypal.buttonsOrder,
      buttonPlacement: paypal.buttonPlacement,
      buttons: buttonStyles(paypal),
      product: { button_width: paypal.productButtonWidth },
      paypalAddressDisabled: !paypal.useWalletAddress,
      checkoutValidationEnabled: paypal.validateFirst,
      needsSetupToken,
      canKeep: paypal.keep,
      expressElement: paypal.expressElement,
      placeOrderEnabled: true,
      shippingCallback: !providerAsksShop(app.tools),
    },
    ...(cards ? { ppcp_card_data: cards } : {}),
    payLaterMessage: messageSettings(paypal),
    errorMessages: {
      terms: t('Please accept the terms and conditions to place your order.'),
      invalid_client_id: t('The payment provider does not recognize this shop. Please choose another payment method.'),
      invalid_currency: t('The payment provider does not accept this currency.'),
      cancel: t('The payment was canceled.'),
      order_missing_address: t('Please enter your address.'),
      required_fields: t('Please fill in all required fields.'),
      fastlane_failed: t('We could not confirm your identity. Please fill in the form, or try again.'),
      unreachable: t('The payment provider cannot be reached at the moment. Nothing was charged; please try again.'),
    },
    i18n: { locale: '{}', locale_fields: {} },
  }
}

function buttonStyles({ style, payLater, card, venmo }: PayPalButtons): PaymentSettings['ppcp_data']['buttons'] {
  const further = ({ sections: _, ...look }: PayPalButtons['payLater' | 'card' | 'venmo']) =>
    ({ layout: look.tagline ? 'horizontal' : 'vertical', ...look }) as const
  return {
    paypal: { ...style, tagline: false },
    paylater: further(payLater),
    card: further(card),
    venmo: further(venmo),
  } satisfies Record<Funding, unknown>
}

function messageSettings({ messages }: PayPalButtons): PaymentSettings['payLaterMessage'] {
  const { cart, checkout, minicart, product, shop } = messages
  return {
    isShortcode: false,
    cartLocation: cart.location,
    checkoutLocation: checkout.location,
    miniCartLocation: minicart.location,
    cart: messageSetting(cart),
    checkout: messageSetting(checkout),
    minicart: messageSetting(minicart),
    product: messageSetting(product),
    shop: { ...messageSetting(shop), msgLocation: shop.location, product_types: shop.productTypes, products: [] },
  }
}

function messageSetting({
  enabled,
  layout,
  logo,
  logoPosition,
  textColor,
  textSize,
  align,
  color,
  ratio,
}: PayPalMessage) {
  return {
    enabled,
    style: {
      layout,
      logo: { type: logo, position: logoPosition },
      text: { color: textColor, size: textSize, align },
      color,
      ratio,
    },
  }
}

/**
 * Returns the parameters of PayPal's script on one page. They must be equal for all responses of a page with the same
 * kind of cart: other parameters reload the script.
 * @param zeroTotal as in `paymentSettingsFor`
 * @param currency as there
 */
export function walletQuery(
  app: Application,
  page: WalletPage,
  zeroTotal = false,
  currency: string = chargedView(app).tools.settings.currency,
): Record<string, string> {
  const { settings } = app.tools
  const { paypal } = settings
  const environment = app.provider?.environment === 'live' ? 'production' : 'sandbox'
  const sections = walletSections(paypal)
  const locale = providerLocale(settings.language)
  // PayPal disables these by default.
  const optional = (['paylater', 'venmo'] as const).filter((name) => sections[name].length > 0)
  const components = [
    'buttons',
    ...(messagePlaces(paypal).length > 0 ? ['messages'] : []),
    ...(hasCardFields(app, page) ? ['card-fields'] : []),
  ]
  return {
    'client-id': effectiveClientId(app.provider?.clientId ?? '', environment),
    currency,
    intent: paypal.intent,
    commit: 'true',
    components: components.join(','),
    // Without it the script saves nothing; with it PayPal removes Pay Later.
    ...(page === 'add_payment_method' || (zeroTotal && page !== 'order_pay') ? { vault: 'true' } : {}),
    ...(optional.length > 0 ? { 'enable-funding': optional.join(',') } : {}),
    ...(locale === null ? {} : { locale: locale.replace('-', '_') }),
  }
}
