/** By what scripts find the fields of an address. Apart from other hooks: most pages have no address and load none of this. */

export const stateFieldHooks = {
  country: 'select.country_to_state, input.country_to_state',
  wrapper:
    '.woocommerce-billing-fields, .woocommerce-shipping-fields, .woocommerce-address-fields, .woocommerce-shipping-calculator',
  row: '.form-row',
  /** What rows are sorted within. */
  rows:
    '.woocommerce-billing-fields__field-wrapper, .woocommerce-shipping-fields__field-wrapper, ' +
    '.woocommerce-address-fields__field-wrapper, .woocommerce-additional-fields__field-wrapper',
  classes: { select: 'state_select', text: 'input-text', hidden: 'hidden' },
} as const

/** The hidden field that only browsers without scripts send: it names the country for which the state field was printed. */
export const printedForField = (stateField: string): string => `${stateField}_printed_for`

/** Classic scripts to which the shop leaves its address fields where the page has them. */
export const classicAddressScripts = {
  states: 'script[src*="/country-select."]',
  rules: 'script[src*="/address-i18n."]',
} as const

/** What the class of a row says of its field. */
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

/** Selects that a visitor can search in; those with an address load their options from there. */
export const searchableSelects = 'select.country_select, select.state_select, select[data-ajax--url]'
