/**
 * The settings that a page prints for its scripts. They travel in one JSON element and become global objects under the
 * names that extensions read. Every top-level scalar of such an object is a string: `true` is "1", `false` is "",
 * a number its decimal text; arrays and objects inside keep their types.
 */

/** Id of the `<script type="application/json">` that carries all of them. */
export const settingsElementId = 'vitrine-settings'

/** Stands in `wc_ajax_url` where a script puts the endpoint's name. */
export const endpointPlaceholder = '%%endpoint%%'

type AjaxUrls = { ajax_url: string; wc_ajax_url: string }
type YesNo = 'yes' | 'no'

export type ScriptSettings = {
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
  wc_checkout_params: AjaxUrls & {
    update_order_review_nonce: string
    apply_coupon_nonce: string
    remove_coupon_nonce: string
    option_guest_checkout: YesNo
    checkout_url: string
    is_checkout: '1' | '0'
    debug_mode: '1' | ''
    i18n_checkout_error: string
    gateways_with_custom_place_order_button: readonly string[]
  }
  wc_add_to_cart_variation_params: {
    wc_ajax_url: string
    i18n_no_matching_variations_text: string
    i18n_make_a_selection_text: string
    i18n_unavailable_text: string
    i18n_reset_alert_text: string
  }
}

/** Names that may become globals. Anything else in the element is left alone: a page's data must not reach other globals. */
export const settingsName = /^(?:wc|woocommerce)[A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/

export type PrintedSettings = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** One settings object as the public interface prints it: top-level scalars as strings, `null` and absent ones dropped. */
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
