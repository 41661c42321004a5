import { urls } from '#contract/shared/urls.ts'
import { invalidText, missingText } from '#domain/addresses/field-errors.ts'
import { statesOf } from '#domain/addresses/states.ts'
import { message } from '#domain/translation/message.ts'
import { countryName } from '#shop/addresses/allowed-countries.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import type { OpenRefusal } from '#shop/checkout/checkout-account.ts'
import type { FormFault } from '#shop/checkout/checkout-form.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { passwordRemedy, refusedPassword } from '../customers/password-refusal.ts'
import { escapeHtml } from '../notices/cart-notices.tsx'

/** Returns the faults of a checkout form, each with its field. */
export function faultNotices(shop: ShopContextValue, faults: readonly FormFault[]): NoticeFacts[] {
  return faults.map((fault) => {
    const field = 'field' in fault ? { field: fault.field } : {}
    const atField = 'field' in fault ? { atField: faultAtField(shop, fault) } : {}
    return { kind: 'error', html: faultHtml(shop, fault), ...field, ...atField }
  })
}

/** Returns the text under the field: a phrase that tells what to do. */
function faultAtField({ t }: ShopContextValue, fault: Extract<FormFault, { field: string }>): string {
  if (fault.code === 'terms') return t('Accept the terms and conditions')
  if (fault.code === 'account') return accountFaultAtField(t, fault.reason)
  switch (fault.fault.reason) {
    case 'required':
      return t(missingText(fault.label))
    case 'unknown-country':
    case 'unknown-state':
      return t('Select an option from the list')
    case 'country-not-offered':
      return t('Select another country or region')
    case 'invalid-postcode':
    case 'invalid-phone':
    case 'invalid-email':
      return t(invalidText(fault.label))
  }
}

function accountFaultAtField(t: ShopContextValue['t'], reason: OpenRefusal): string {
  switch (reason) {
    case 'username-missing':
      return t('Enter a username')
    case 'password-missing':
      return t('Enter a password')
    case 'username-invalid':
      return t('Enter a valid username')
    case 'username-taken':
      return t('Choose another username')
    case 'password-short':
    case 'password-weak':
    case 'password-known':
      return passwordRemedy(t, reason)
    case 'email-taken':
      return t('Use a different email address, or log in')
  }
}

function faultHtml({ t, language }: ShopContextValue, fault: FormFault): string {
  switch (fault.code) {
    case 'account':
      return accountFaultHtml(t, fault.reason)
    case 'log-in-first':
      return `${escapeHtml(t('You must be logged in to place an order.'))} ${logInLink(t)}`
    case 'terms':
      return escapeHtml(t('Please accept the terms and conditions to place your order.'))
    case 'shipping-country':
      return escapeHtml(t('Please enter an address to continue.'))
    case 'shipping-destination':
      return escapeHtml(t('We do not ship to %s.', countryName(language, fault.country)))
    case 'shipping-method':
      return escapeHtml(t('There is no shipping method for this address. Please check it, or contact us.'))
    case 'payment-method':
      return escapeHtml(t('Please choose a payment method.'))
    case 'keep-method':
      return escapeHtml(
        t(
          'Nothing is charged today, but this order needs a payment method for later. Please choose PayPal or a card and confirm it.',
        ),
      )
    case 'address': {
      const label = t(fault.kind === 'billing' ? 'Billing %s' : 'Shipping %s', t(fault.label))
      const name = `<strong>${escapeHtml(label)}</strong>`
      const about = (text: string) => escapeHtml(text).replace('%s', () => name)
      switch (fault.fault.reason) {
        case 'required':
          return about(t('%s is a required field.'))
        case 'unknown-country':
          return escapeHtml(t("'%s' is not a valid country code.", fault.fault.value.slice(0, 40)))
        case 'country-not-offered': {
          const name = countryName(language, fault.fault.value)
          return escapeHtml(
            fault.kind === 'billing' ? t('We do not sell to %s.', name) : t('We do not ship to %s.', name),
          )
        }
        case 'invalid-postcode':
          return `${about(t('%s is not a valid postcode / ZIP.'))}${fault.label === irishLabel ? eircodeLink(t) : ''}`
        case 'invalid-phone':
          return about(t('%s is not a valid phone number.'))
        case 'invalid-email':
          return about(t('%s is not a valid email address.'))
        case 'unknown-state': {
          const allowed = [...(statesOf(fault.fault.country, language)?.values() ?? [])].slice(0, 60)
          const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(allowed)
          return `${about(t('%s is not valid.'))} ${escapeHtml(t('Please enter one of the following: %s', list))}`
        }
      }
    }
  }
}

function accountFaultHtml(t: ShopContextValue['t'], reason: OpenRefusal): string {
  const about = (text: string, label: string) =>
    escapeHtml(t(text)).replace('%s', () => `<strong>${escapeHtml(t(label))}</strong>`)
  switch (reason) {
    case 'username-missing':
      return about(message('%s is a required field.'), message('Account username'))
    case 'password-missing':
      return about(message('%s is a required field.'), message('Account password'))
    case 'username-invalid':
      return escapeHtml(t('Please enter a valid username: letters, digits and the characters . _ - @'))
    case 'username-taken':
      return escapeHtml(t('This username is taken. Please choose another one.'))
    case 'password-short':
    case 'password-weak':
    case 'password-known':
      return escapeHtml(refusedPassword(t, reason))
    case 'email-taken':
      return `${escapeHtml(t('An account is already registered with this email address.'))} ${logInLink(t)}`
  }
}

/** Only Ireland's postcodes have this name: each identifies one address and cannot be guessed. */
const irishLabel = 'Eircode'

function eircodeLink(t: ShopContextValue['t']): string {
  return ` <a href="https://finder.eircode.ie/" target="_blank" rel="noopener">${escapeHtml(t('Find your Eircode'))}</a>`
}

/** Opens the login form above the checkout; without scripts it is open, and the link leads there. */
function logInLink(t: ShopContextValue['t']): string {
  return `<a href="${urls.account({ redirect: urls.checkout() })}" class="showlogin">${escapeHtml(t('Please log in.'))}</a>`
}
