import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { printedSettings, type ScriptSettings } from '#contract/shared/browser-settings.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { lowestScore } from '#domain/customers/password-strength.ts'
import { shortDigest } from '#shop/shared/digest.ts'
import { addressScript } from '../../addresses/address-script.ts'
import { attributionScript } from '../../attribution/attribution-script.ts'
import { currencyForScripts } from '../../currency/currency-settings.ts'
import { escapeHtml } from '../../notices/cart-notices.tsx'
import type { Application } from '../../operations/startup/application.ts'
import { withAccelerated } from '../../payments/accelerated-script.tsx'
import { paymentSettingsFor, walletPage } from '../../payments/payment-script.ts'
import { translatorScript } from '../../translation/translator-script.ts'
import type { OwnSettings, PaymentFacts, Saying, ScriptPage } from './script-page.ts'

/** Returns the settings objects that a page prints for scripts, as far as it needs them. */
export function scriptSettings(
  app: Application,
  page: ScriptPage,
  saying: Saying,
  own: OwnSettings | null,
  payment: PaymentFacts = {},
): Record<string, unknown> {
  const isPlain = own === null && !payment.cart && !payment.order
  const printed = { ...(isPlain ? plainSettings(app, page, saying) : pageSettings(app, page, saying, own, payment)) }
  const currency = currencyForScripts(app)
  if (currency) printed.wc_currency_params = currency
  const { wcPPCPSettings: wallet } = printed
  if (wallet) printed.wcPPCPSettings = withFacts(wallet as PaymentSettings, payment)
  return { ...printed, ...translatorScript(app) }
}

/** Returns markup. Guests have no list of orders, so they get no link to it. */
function checkoutError({ t, path }: Saying, isLoggedIn: boolean): string {
  const text = t(
    'We could not tell whether your order went through. Please check your email and payments before you try again.',
  )
  return isLoggedIn ? `${text} <a href="${path(urls.orders())}">${escapeHtml(t('All orders'))}</a>` : text
}

/**
 * Returns the settings of a shared page, cached while settings and texts stay the same. Frozen, so that they are
 * serialized only once.
 */
function plainSettings(app: Application, page: ScriptPage, saying: Saying): Readonly<Record<string, unknown>> {
  const { settings } = app.tools
  const before = plainPages.get(saying)
  const pages = before?.settings === settings ? before.pages : new Map<ScriptPage, Record<string, unknown>>()
  if (before?.pages !== pages) plainPages.set(saying, { settings, pages })
  const known = pages.get(page)
  if (known) return known
  const made = pageSettings(app, page, saying, null, {})
  for (const value of Object.values(made)) Object.freeze(value)
  pages.set(page, made)
  return made
}

const plainPages = new WeakMap<Saying, { settings: ShopSettings; pages: Map<ScriptPage, Record<string, unknown>> }>()

/** Default options of the ecosystem's gallery; ours slides in its own way. */
const sliderOptions = {
  animation: 'slide',
  smoothHeight: true,
  directionNav: false,
  controlNav: 'thumbnails',
  slideshow: false,
  animationSpeed: 500,
  animationLoop: false,
  allowOneSlide: false,
}
const viewerOptions = {
  shareEl: false,
  closeOnScroll: false,
  history: false,
  hideAnimationDuration: 0,
  showAnimationDuration: 0,
}

/** Returns the settings that depend on the shop, the kind of page and its owner alone. */
function pageSettings(
  app: Application,
  page: ScriptPage,
  saying: Saying,
  own: OwnSettings | null,
  payment: PaymentFacts,
): Record<string, unknown> {
  const { settings } = app.tools
  const { t, path } = saying
  // Browsers store cart markup: separately for each language and currency.
  const inLanguage = app.language.slug && `_${app.language.tag}`
  const { chosenCurrency = settings.currency } = saying
  const inCurrency = chosenCurrency === app.ownCurrency ? '' : `_${chosenCurrency}`
  const site = shortDigest(`1_${app.tools.publicUrl}_vitrine${inLanguage}${inCurrency}`)
  const ajax = { ajax_url: path(urls.adminAjax), wc_ajax_url: path(urls.wcAjaxTemplate) }
  const objects: Partial<ScriptSettings> = {
    woocommerce_params: { ...ajax, i18n_password_show: t('Show password'), i18n_password_hide: t('Hide password') },
    wc_add_to_cart_params: {
      ...ajax,
      i18n_view_cart: t('View cart'),
      cart_url: path(urls.cart()),
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
    objects.wc_single_product_params = {
      // The shop has no review form, so no rating can be missing.
      i18n_required_rating_text: '',
      i18n_rating_options: ['1', '2', '3', '4', '5'].map((stars) => t('Rated %s out of 5', stars)),
      review_rating_required: 'no',
      flexslider: { ...sliderOptions, rtl: app.language.dir === 'rtl' },
      flexslider_enabled: true,
      zoom_enabled: true,
      zoom_options: {},
      photoswipe_enabled: true,
      photoswipe_options: viewerOptions,
    }
    objects.wc_add_to_cart_variation_params = {
      wc_ajax_url: ajax.wc_ajax_url,
      i18n_no_matching_variations_text: t('There is no product with this combination. Please choose another one.'),
      i18n_make_a_selection_text: t('Please choose the options of this product first.'),
      i18n_unavailable_text: t('This combination cannot be bought at the moment. Please choose another one.'),
      i18n_reset_alert_text: t('Your choice was cleared. Please choose the options of this product.'),
    }
  }
  if (page === 'cart' || page === 'checkout' || page === 'account')
    Object.assign(objects, addressScript(settings, saying))
  const nonce = (action: string) => own?.nonces[action] ?? ''
  if (page === 'cart' && own) {
    objects.wc_cart_params = {
      ...ajax,
      update_shipping_method_nonce: nonce('update-shipping-method'),
      apply_coupon_nonce: nonce('apply-coupon'),
      remove_coupon_nonce: nonce('remove-coupon'),
    }
  }
  if (page === 'account' || page === 'checkout') {
    objects.wc_password_strength_meter_params = {
      min_password_strength: String(lowestScore),
      stop_checkout: '',
      i18n_password_error: t('Please choose a password that is harder to guess.'),
      i18n_password_hint: t('Make it longer: several words in a row are easy to remember and hard to guess.'),
      i18n_short: t('Very weak'),
      i18n_bad: t('Weak'),
      i18n_good: t('Good'),
      i18n_strong: t('Strong'),
    }
    objects.pwsL10n = {
      unknown: t('Unknown'),
      short: t('Very weak'),
      bad: t('Weak'),
      good: t('Good'),
      strong: t('Strong'),
      mismatch: t('Passwords do not match.'),
    }
    objects._zxcvbnSettings = { src: '' }
  }
  if ((page === 'checkout' || page === 'order_pay' || page === 'add_payment_method') && own) {
    objects.wc_checkout_params = {
      ...ajax,
      update_order_review_nonce: nonce('update-order-review'),
      apply_coupon_nonce: nonce('apply-coupon'),
      remove_coupon_nonce: nonce('remove-coupon'),
      option_guest_checkout: settings.accounts.guestCheckout ? 'yes' : 'no',
      checkout_url: path(urls.wcAjax('checkout')),
      is_checkout: page === 'checkout' ? '1' : '0',
      debug_mode: '',
      i18n_checkout_error: checkoutError(saying, payment.isLoggedIn ?? false),
      i18n_shop_busy: t('The shop is very busy right now. Nothing you entered is lost; please try again.'),
      i18n_field_required: t('Fill in this field'),
      i18n_field_email: t('Enter a valid email address'),
      i18n_field_phone: t('Enter a valid phone number'),
      gateways_with_custom_place_order_button: settings.payments.customButtons,
    }
  }
  if (page === 'checkout' || page === 'add_payment_method') {
    objects.wc_tokenization_form_params = {
      is_registration_required: !settings.accounts.guestCheckout,
      is_logged_in: payment.isLoggedIn ?? page === 'add_payment_method',
    }
  }
  if (page === 'add_payment_method') {
    const { customButtons } = settings.payments
    objects.wc_add_payment_method_params = { gateways_with_custom_place_order_button: customButtons }
  }
  const printed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(objects)) printed[name] = printedSettings(value)
  const wallet = walletPage(app, page)
  const about = { zeroTotal: payment.cart?.needsSetupToken ?? false, currency: payment.order?.currency }
  if (wallet) printed.wcPPCPSettings = paymentSettingsFor(app, wallet, saying, own, about)
  return { ...printed, ...attributionScript(app, saying) }
}

function withFacts(settings: PaymentSettings, { products, accelerated, ...facts }: PaymentFacts): PaymentSettings {
  const { payLaterMessage } = settings
  const { shop } = payLaterMessage
  const listed = (products ?? []).filter((one) => shop.product_types.includes(one.product_type))
  if (listed.length === 0 && !accelerated && Object.keys(facts).length === 0) return settings
  const printed = {
    ...settings,
    payLaterMessage: { ...payLaterMessage, shop: { ...shop, products: listed } },
    ...facts,
  }
  return withAccelerated(printed, accelerated)
}
