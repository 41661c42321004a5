import type { PasswordFault } from '#shop/customers/credentials/password-rules.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'

/** Returns the remedy for a rejected new password, for the text under its field. */
export function passwordRemedy(t: ShopContextValue['t'], fault: Exclude<PasswordFault, 'password-missing'>): string {
  switch (fault) {
    case 'password-short':
      return t('Use eight characters or more')
    case 'password-weak':
      return t('Choose a password that is harder to guess')
    case 'password-known':
      return t('Choose a password that nobody else uses')
  }
}

/** Returns why a new password was rejected, with the remedy; the same text in all forms. */
export function refusedPassword(t: ShopContextValue['t'], fault: Exclude<PasswordFault, 'password-missing'>): string {
  switch (fault) {
    case 'password-short':
      return t('This password is too short. Please use eight characters or more.')
    case 'password-weak':
      return t('This password is easy to guess. Please make it longer, for example with several words.')
    case 'password-known':
      return t('This password is on lists that attackers try first. Please choose one that nobody else uses.')
  }
}
