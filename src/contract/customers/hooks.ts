/** Hooks of forms with passwords, see `hooks.ts`. */
export const accountHooks = {
  /** The shop leaves its meter to this script on pages that include it. */
  classicMeterScript: 'script[src*="/password-strength-meter."]',
  newPasswords:
    'form.register #reg_password, form.checkout #account_password, form.edit-account #password_1, form.lost_reset_password #password_1',
  /** The login and registration page. */
  logInPage: '#customer_login',
  lostForm: 'form.lost_reset_password',
  passwordBoxClass: 'password-input',
  showPassword: '.show-password-input',
  showPasswordClass: 'show-password-input',
  displayClass: 'display-password',
  meterId: 'password_strength',
  meterClass: 'woocommerce-password-strength',
  hintClass: 'woocommerce-password-hint',
} as const
