import { printedForField } from '#contract/addresses/hooks.ts'
import {
  isProviderMethod,
  paymentFields,
  walletOrderField,
  walletOrderIdPattern,
} from '#contract/payments/constants.ts'
import { checkAddress } from '#domain/addresses/address-check.ts'
import { type AddressKey, type AddressKind, fieldsFor } from '#domain/addresses/address-fields.ts'
import { stateMeant } from '#domain/addresses/states.ts'
import { visibleText } from '#domain/translation/visible-text.ts'
import { takesCountry } from '../addresses/allowed-countries.ts'
import { type AddressState, emptyAddress } from '../customers/sessions/session-state.ts'
import { readPaymentInput } from '../payments/operation/payment-source.ts'
import type { Tools } from '../shared/tools.ts'
import type { CheckoutForm, FormFault } from './checkout-form.ts'

const maxLength = 200
/** Longer than any valid email: a truncated one could belong to another person. */
const uncutEmail = 500

/**
 * Stage 1, parse: posted fields to a checkout form, trimmed, truncated, with sanitized addresses; unknown fields are
 * ignored. `checkout`, `cart/checkout` and the form post without scripts enter here. The Store API maps its JSON to
 * these fields; a manual order of the desk has no form and enters at `placeAwaitedOrder`.
 */
export function parseCheckout(
  { settings }: Pick<Tools, 'settings'>,
  fields: Readonly<Record<string, unknown>>,
): CheckoutForm {
  const text = (name: string, limit = maxLength) => textIn(fields, name, limit)
  const billing = postedAddress({ settings }, 'billing', fields)
  const shipping = postedAddress({ settings }, 'shipping', fields)
  const shipToDifferent = isChecked(fields.ship_to_different_address)
  return {
    billing: billing.values,
    shipToDifferent,
    shipping: shipToDifferent ? shipping.values : billing.values,
    customerNote: visibleText(text('order_comments', 2000)),
    account: {
      wanted: isChecked(fields.createaccount),
      username: text('account_username', 60),
      // Not trimmed: spaces may belong to a password. The limit exceeds the longest valid one.
      password: typeof fields.account_password === 'string' ? fields.account_password.slice(0, 600) : '',
    },
    paymentMethod: text('payment_method', 40),
    payment: readPaymentInput(fields, text('payment_method', 40)),
    intention: text('intention', 80),
    shippingMethod: shippingMethodsIn(fields),
    terms: { asked: fields['terms-field'] !== undefined, accepted: isChecked(fields.terms) },
    seenCurrency: text('seen_currency', 20) || null,
    seenTotal: /^\d{1,15}$/.test(text('seen_total', 20)) ? Number(text('seen_total', 20)) : null,
    addressFaults: { billing: billing.faults, shipping: shipping.faults },
  }
}

/** Parses a posted address of one kind, sanitized, with its faults. */
export function postedAddress(
  { settings }: Pick<Tools, 'settings'>,
  kind: AddressKind,
  fields: Readonly<Record<string, unknown>>,
): { values: AddressState; faults: FormFault[] } {
  const posted = Object.fromEntries(
    Object.keys(emptyAddress).map((key) => [
      key,
      textIn(fields, `${kind}_${key}`, key === 'email' ? uncutEmail : maxLength),
    ]),
  )
  const country = (posted.country ?? '').toUpperCase()
  const printedFor = textIn(fields, printedForField(`${kind}_state`), maxLength)
  posted.state = stateMeant(country, posted.state ?? '', printedFor)
  const known = fieldsFor(kind, country, settings.base.country, settings.addressFields)
  const { values, faults } = checkAddress(known, posted as Partial<Record<AddressKey, string>>, (code) =>
    takesCountry(settings, kind, code),
  )
  return {
    values,
    faults: faults.map((fault) => {
      const label = known.find(({ key }) => key === fault.field)?.label ?? fault.field
      return { code: 'address', field: `${kind}_${fault.field}`, kind, label, fault }
    }),
  }
}

/** Returns a posted text, trimmed and truncated without broken surrogates; '' for other values. */
function textIn(fields: Readonly<Record<string, unknown>>, name: string, limit: number): string {
  const value = fields[name]
  return typeof value === 'string' ? value.trim().slice(0, limit).toWellFormed() : ''
}

/** Parses `shipping_method[index]`, nested as forms send it or flat as scripts do. */
export function shippingMethodsIn(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const nested = fields.shipping_method
  const pairs = [
    ...(typeof nested === 'object' && nested !== null ? Object.entries(nested) : []),
    ...Object.entries(fields).flatMap(([name, value]) => {
      const index = /^shipping_method\[(\d{1,3})\]$/.exec(name)?.[1]
      return index === undefined ? [] : [[index, value] as const]
    }),
  ]
  return Object.fromEntries(
    pairs.flatMap(([index, rate]) => (typeof rate === 'string' ? [[index, rate.slice(0, 100)]] : [])),
  )
}

function isChecked(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value !== '0' && value !== 'false'
}

/** Returns the approved wallet order in a form, for the form's payment method; null for an invalid value. */
export function approvedIn(fields: Readonly<Record<string, unknown>>): string | null {
  const method = methodIn(fields)
  const id = fields[isProviderMethod(method) ? paymentFields(method).order : walletOrderField]
  return typeof id === 'string' && walletOrderIdPattern.test(id) ? id : null
}

/** Returns the payment method of a form; a list or map is ignored. */
export function methodIn({ payment_method: method }: Readonly<Record<string, unknown>>): string {
  return typeof method === 'string' ? method : ''
}
