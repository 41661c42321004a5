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

/** Of the message about a field, so that the field can be described by it. */
export const messageId = (fieldId: string): string => `${fieldId}_error`

/** Of the same message where the field is. */
export const fieldMessageId = (fieldId: string): string => `${fieldId}_description`
