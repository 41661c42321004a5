/** On body: the meter beside a new password. */
export const accountEvents = {
  strengthAdded: 'wc-password-strength-added',
  strengthShown: 'wc-password-strength-show',
  strengthHidden: 'wc-password-strength-hide',
} as const
