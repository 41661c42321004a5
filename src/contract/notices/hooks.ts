/** Hooks of notices, see `hooks.ts`. */
export const noticeHooks = {
  wrapper: '.woocommerce-notices-wrapper',
  errors: '.woocommerce-error, .is-error',
  successes: '.woocommerce-message, .is-success',
  infos: '.woocommerce-info, .is-info',
  all: '.woocommerce-error, .woocommerce-message, .woocommerce-info, .is-error, .is-info, .is-success',
  errorClass: 'woocommerce-error',
  groupClass: 'woocommerce-NoticeGroup',
  couponError: '.coupon-error-notice',
} as const

/** Returns the id of a field's message in the list. */
export const messageId = (fieldId: string): string => `${fieldId}_error`

/** Attribute of a message in a list with the text under its field, where that is another one. */
export const atFieldAttribute = 'data-at-field'

/** Attribute of a field's row with the text under the field while it is empty. */
export const missingAttribute = 'data-missing'

/** Returns the id of the message under the field, which describes the field. */
export const fieldMessageId = (fieldId: string): string => `${fieldId}_description`
