import type { NoticeFacts } from '#shop/cart-facts.ts'
import type { FormFault } from '#shop/checkout-form.ts'
import { countryName } from '#shop/read-order.ts'
import type { ShopContextValue } from '#web/parts/shop-context.tsx'
import { escapeHtml } from './cart-notices.tsx'

/** What is wrong with a checkout form, each with the field that it is about. */
export function faultNotices(shop: ShopContextValue, faults: readonly FormFault[]): NoticeFacts[] {
  return faults.map((fault) => {
    const field = 'field' in fault ? { field: fault.field } : {}
    return { kind: 'error', html: faultHtml(shop, fault), ...field }
  })
}

function faultHtml({ t, language }: ShopContextValue, fault: FormFault): string {
  switch (fault.code) {
    case 'terms':
      return escapeHtml(t('Please accept the terms and conditions to place your order.'))
    case 'shipping-country':
      return escapeHtml(t('Please enter an address to continue.'))
    case 'shipping-destination':
      return escapeHtml(t('We do not ship to %s.', countryName(fault.country)))
    case 'shipping-method':
      return escapeHtml(t('There is no shipping method for this address. Please check it, or write to us.'))
    case 'payment-method':
      return escapeHtml(t('Please choose a way to pay.'))
    case 'address': {
      const label = t(fault.kind === 'billing' ? 'Billing %s' : 'Shipping %s', t(fault.label))
      const name = `<strong>${escapeHtml(label)}</strong>`
      const about = (text: string) => escapeHtml(text).replace('%s', () => name)
      switch (fault.fault.reason) {
        case 'required':
          return about(t('%s is a required field.'))
        case 'unknown-country':
          return escapeHtml(t("'%s' is not a valid country code.", fault.fault.value.slice(0, 40)))
        case 'invalid-postcode':
          return about(t('%s is not a valid postcode / ZIP.'))
        case 'invalid-phone':
          return about(t('%s is not a valid phone number.'))
        case 'invalid-email':
          return about(t('%s is not a valid email address.'))
        case 'unknown-state': {
          const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(fault.fault.allowed.slice(0, 60))
          return `${about(t('%s is not valid.'))} ${escapeHtml(t('Please enter one of the following: %s', list))}`
        }
      }
    }
  }
}
