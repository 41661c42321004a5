import { urls } from '#contract/shared/urls.ts'
import { missingText } from '#domain/addresses/field-errors.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import type { ResetRefusal } from '#shop/customers/credentials/reset-password.ts'
import type { DetailsFault } from '#shop/customers/edit-customer.ts'
import type { RegistrationRefusal } from '#shop/customers/register-customer.ts'
import type { SignInResult } from '#shop/customers/sessions/sign-in.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { errorNotice, escapeHtml } from '../notices/cart-notices.tsx'
import { passwordRemedy, refusedPassword } from './password-refusal.ts'

/** Returns the reason of a failed login. A wrong name and a wrong password have the same text. */
export function signInNotice({ t }: ShopContextValue, refusal: Extract<SignInResult, { ok: false }>): NoticeFacts {
  switch (refusal.reason) {
    case 'login-missing':
      return errorNotice(t('Username is required.'), 'username', t('Enter your username or email address'))
    case 'password-missing':
      return errorNotice(t('The password field is empty.'), 'password', t('Enter your password'))
    case 'wrong': {
      const lost = `<a href="${urls.lostPassword()}">${escapeHtml(t('Lost your password?'))}</a>`
      const text = t('The username, email address or password is incorrect. Please try again.')
      return {
        kind: 'error',
        html: `${escapeHtml(text)} ${lost}`,
        field: 'password',
        atField: t('Check your password'),
      }
    }
    case 'too-many':
      return tooManyNotice(t, refusal.waitMs)
  }
}

export function tooManyNotice(t: ShopContextValue['t'], waitMs: number): NoticeFacts {
  const minutes = Math.ceil(waitMs / 60_000)
  const text =
    minutes === 1
      ? t('Too many attempts. Please wait a minute, then try again.')
      : t('Too many attempts. Please wait %s minutes, then try again.', minutes)
  return errorNotice(text)
}

/** Returns the notice for a form whose nonce is invalid or expired. */
export function staleFormNotice({ t }: Pick<ShopContextValue, 't'>): NoticeFacts {
  return errorNotice(t('This page was open for too long. Nothing was changed; please try again.'))
}

export function registrationNotice({ t }: ShopContextValue, reason: RegistrationRefusal, email: string): NoticeFacts {
  switch (reason) {
    case 'closed':
      return errorNotice(t('New accounts cannot be created at the moment.'))
    case 'email-invalid':
      return errorNotice(t('Please provide a valid email address.'), 'reg_email', t('Enter a valid email address'))
    case 'email-taken': {
      const text = t('An account is already registered with %s. Please log in or use a different email address.', email)
      return errorNotice(text, 'reg_email', t('Use a different email address, or log in'))
    }
    case 'username-invalid':
      return errorNotice(
        t('Please enter a valid username: letters, digits and the characters . _ - @'),
        'reg_username',
        t('Enter a valid username'),
      )
    case 'username-taken':
      return errorNotice(
        t('This username is taken. Please choose another one.'),
        'reg_username',
        t('Choose another username'),
      )
    case 'password-missing':
      return errorNotice(t('Please enter an account password.'), 'reg_password', t('Enter a password'))
    case 'password-short':
    case 'password-weak':
    case 'password-known':
      return errorNotice(refusedPassword(t, reason), 'reg_password', passwordRemedy(t, reason))
  }
}

export function resetNotice({ t }: ShopContextValue, reason: ResetRefusal): NoticeFacts {
  switch (reason) {
    case 'link-invalid':
      return errorNotice(t('This link has already been used or has expired. Please request a new one.'))
    case 'password-missing':
      return errorNotice(t('Please enter your password.'), 'password_1', t('Enter a new password'))
    case 'password-short':
    case 'password-weak':
    case 'password-known':
      return errorNotice(refusedPassword(t, reason), 'password_1', passwordRemedy(t, reason))
    case 'passwords-differ':
      return errorNotice(t('Passwords do not match.'), 'password_2', t('Enter the same password again'))
  }
}

export function detailsNotice({ t }: ShopContextValue, fault: DetailsFault): NoticeFacts {
  const required = (label: string, field: string) =>
    errorNotice(t('%s is a required field.', t(label)), field, t(missingText(label)))
  switch (fault) {
    case 'first-name-missing':
      return required('First name', 'account_first_name')
    case 'last-name-missing':
      return required('Last name', 'account_last_name')
    case 'display-name-missing':
      return required('Display name', 'account_display_name')
    case 'display-name-is-email':
      return errorNotice(
        t('Please choose a display name that is not an email address.'),
        'account_display_name',
        t('Choose a name that is not an email address'),
      )
    case 'email-invalid':
      return errorNotice(t('Please provide a valid email address.'), 'account_email', t('Enter a valid email address'))
    case 'current-missing':
      return errorNotice(t('Please enter your current password.'), 'password_current', t('Enter your current password'))
    case 'current-wrong':
      return errorNotice(t('Your current password is incorrect.'), 'password_current', t('Check your current password'))
    case 'password-missing':
      return errorNotice(t('Please enter your password.'), 'password_1', t('Enter a new password'))
    case 'password-short':
    case 'password-weak':
    case 'password-known':
      return errorNotice(refusedPassword(t, fault), 'password_1', passwordRemedy(t, fault))
    case 'passwords-differ':
      return errorNotice(t('New passwords do not match.'), 'password_2', t('Enter the same password again'))
    case 'too-many':
      return errorNotice(
        t('Too many attempts. Please wait a few minutes, then try again.'),
        'password_current',
        t('Wait a few minutes, then try again'),
      )
  }
}

/** Returns the same notice for every address, in use or not. */
export function confirmNotice({ t }: Pick<ShopContextValue, 't'>, email: string): NoticeFacts {
  const text = t('We sent a link to %s. Please open it to confirm the address.', email)
  return { kind: 'notice', html: escapeHtml(text) }
}

/** Returns the ids of the fields of notices. */
export function fieldsOf(notices: readonly NoticeFacts[]): string[] {
  return notices.flatMap(({ field }) => field ?? [])
}
