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

/** Returns the id of a field's message, which describes the field. */
export const messageId = (fieldId: string): string => `${fieldId}_error`

/** Returns the id of the same message at the field. */
export const fieldMessageId = (fieldId: string): string => `${fieldId}_description`
