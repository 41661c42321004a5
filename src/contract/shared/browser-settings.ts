import type { CurrencyEntry } from '#domain/currency/pricing-rules.ts'
import type { TranslatorSettings } from '../translation/translate.ts'

/**
 * The settings that a page prints for its scripts. They are sent in one JSON element and become global objects under
 * the names that extensions read. Every top-level scalar of such an object is a string: `true` is "1", `false` is "", a
 * number its decimal text; arrays and objects inside keep their types.
 */

/** Id of the `<script type="application/json">` with all of them. */
export const settingsElementId = 'vitrine-settings'

/** In `wc_ajax_url`: scripts replace it by the endpoint's name. */
export const endpointPlaceholder = '%%endpoint%%'

type AjaxUrls = { ajax_url: string; wc_ajax_url: string }
type YesNo = 'yes' | 'no'

/** The messages of a searchable select; `_n` texts contain `%qty%`. */
export type SelectTexts = Record<
  | 'i18n_no_matches'
  | 'i18n_ajax_error'
  | 'i18n_input_too_short_1'
  | 'i18n_input_too_short_n'
  | 'i18n_input_too_long_1'
  | 'i18n_input_too_long_n'
  | 'i18n_selection_too_long_1'
  | 'i18n_selection_too_long_n'
  | 'i18n_load_more'
  | 'i18n_searching'
  // The shop's own: the number of results for screen readers.
  | 'i18n_results_1'
  | 'i18n_results_n',
  string
>

export type ScriptSettings = {
  /** Only on a page in another language than the shop's own. */
  trp_data: TranslatorSettings
  /** Only on a page with another currency than the shop's own. */
  wc_currency_params: CurrencyEntry
  woocommerce_params: AjaxUrls & { i18n_password_show: string; i18n_password_hide: string }
  wc_add_to_cart_params: AjaxUrls & {
    i18n_view_cart: string
    cart_url: string
    is_cart: '1' | ''
    cart_redirect_after_add: YesNo
  }
  wc_cart_fragments_params: AjaxUrls & {
    cart_hash_key: string
    fragment_name: string
    /** Milliseconds. */
    request_timeout: string
  }
  wc_cart_params: AjaxUrls & {
    update_shipping_method_nonce: string
    apply_coupon_nonce: string
    remove_coupon_nonce: string
  }
  wc_country_select_params: {
    /**
     * JSON text: country → state code → name, of the countries that the shop offers, or of its own only if `locale_url`
     * has more; an empty object means no states.
     */
    countries: string
    i18n_select_state_text: string
  } & Partial<SelectTexts>
  wc_address_i18n_params: {
    /** JSON text: country, or `default`, → field → its rules; of the same countries. */
    locale: string
    /** JSON text: field → selectors of its rows. */
    locale_fields: string
    i18n_required_text: string
    i18n_optional_text: string
    /** The URL of `{ locale, states }` of all offered countries, loaded on first use; empty: they are printed. */
    locale_url: string
  }
  wc_checkout_params: AjaxUrls & {
    update_order_review_nonce: string
    apply_coupon_nonce: string
    remove_coupon_nonce: string
    option_guest_checkout: YesNo
    checkout_url: string
    is_checkout: '1' | '0'
    debug_mode: '1' | ''
    i18n_checkout_error: string
    /** The shop's own: the button's text after a response that the shop is busy. */
    i18n_shop_busy: string
    /** The message under a field that fails validation in the browser. */
    i18n_field_required: string
    i18n_field_email: string
    i18n_field_phone: string
    gateways_with_custom_place_order_button: readonly string[]
  }
  wc_add_payment_method_params: { gateways_with_custom_place_order_button: readonly string[] }
  wc_password_strength_meter_params: {
    /** 0 to 4 */
    min_password_strength: string
    /** '1' if a weak password blocks the checkout form. */
    stop_checkout: '1' | ''
    i18n_password_error: string
    i18n_password_hint: string
    i18n_short: string
    i18n_bad: string
    i18n_good: string
    i18n_strong: string
  }
  /** The texts of the platform's own password meter, by score. */
  pwsL10n: Record<'unknown' | 'short' | 'bad' | 'good' | 'strong' | 'mismatch', string>
  /** The URL of the platform's estimator; empty: it is on the page already. */
  _zxcvbnSettings: { src: string }
  wc_tokenization_form_params: { is_registration_required: boolean; is_logged_in: boolean }
  /** Settings of the gallery and the review form, with the options that third-party scripts read. */
  wc_single_product_params: {
    i18n_required_rating_text: string
    /** From one star to five. */
    i18n_rating_options: readonly string[]
    review_rating_required: YesNo
    flexslider: object
    flexslider_enabled: boolean
    zoom_enabled: boolean
    zoom_options: object
    photoswipe_enabled: boolean
    photoswipe_options: object
  }
  wc_add_to_cart_variation_params: {
    wc_ajax_url: string
    i18n_no_matching_variations_text: string
    i18n_make_a_selection_text: string
    i18n_unavailable_text: string
    i18n_reset_alert_text: string
  }
}

/** Names that may become globals. Others in the element are ignored: a page's data must not reach other globals. */
export const settingsName = /^_?(?:wc|woocommerce|trp|pws|zxcvbn)(?:_?[a-z\d])*$/i

export type PrintedSettings = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * Returns a settings object in the format of the public interface: top-level scalars as strings, without `null` and
 * missing values.
 */
export function printedSettings(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, typeof value === 'object' ? value : printedScalar(value)]),
  )
}

function printedScalar(value: unknown): string {
  if (value === true) return '1'
  if (value === false) return ''
  return String(value)
}
