/** Hooks of address fields. In a separate file, since most pages have no address and do not load it. */

export const stateFieldHooks = {
  country: 'select.country_to_state, input.country_to_state',
  wrapper:
    '.woocommerce-billing-fields, .woocommerce-shipping-fields, .woocommerce-address-fields, .woocommerce-shipping-calculator',
  row: '.form-row',
  /** The container whose rows are sorted. */
  rows:
    '.woocommerce-billing-fields__field-wrapper, .woocommerce-shipping-fields__field-wrapper, ' +
    '.woocommerce-address-fields__field-wrapper, .woocommerce-additional-fields__field-wrapper',
  classes: { select: 'state_select', text: 'input-text', hidden: 'hidden' },
} as const

/**
 * Returns the name of the hidden field that only browsers without scripts submit: the country that the state field was
 * printed for.
 */
export const printedForField = (stateField: string): string => `${stateField}_printed_for`

/** Classic scripts to which the shop leaves its address fields on pages that include them. */
export const classicAddressScripts = {
  states: 'script[src*="/country-select."]',
  rules: 'script[src*="/address-i18n."]',
} as const

/** Classes of a row for the state of its field. */
export const rowHooks = {
  validated: 'woocommerce-validated',
  invalid: 'woocommerce-invalid',
  invalidRequired: 'woocommerce-invalid-required-field',
  invalidEmail: 'woocommerce-invalid-email',
  invalidPhone: 'woocommerce-invalid-phone',
  required: 'validate-required',
  email: 'validate-email',
  phone: 'validate-phone',
} as const

/** Selects with a search field; those with a URL load their options from it. */
export const searchableSelects = 'select.country_select, select.state_select, select[data-ajax--url]'
