import { printedForField } from '#contract/addresses/hooks.ts'
import { type AddressFault, checkAddress } from '#domain/addresses/address-check.ts'
import { type AddressKey, type AddressKind, fieldsFor } from '#domain/addresses/address-fields.ts'
import { stateMeant } from '#domain/addresses/states.ts'
import { visibleText } from '#domain/translation/visible-text.ts'
import { shipsTo, takesCountry } from '../addresses/allowed-countries.ts'
import { type AddressState, emptyAddress, type SessionState } from '../customers/sessions/session-state.ts'
import type { PaymentMethodFacts } from '../payments/operation/payment-method-facts.ts'
import { type PaymentInput, readPaymentInput } from '../payments/operation/payment-source.ts'
import type { Tools } from '../shared/tools.ts'
import { type AccountForm, type AccountOffer, accountFaults, type OpenRefusal } from './checkout-account.ts'

/** Posted checkout form, trimmed and truncated, not validated yet. */
export type CheckoutForm = {
  readonly billing: AddressState
  /** Copy of billing, unless another address was requested. */
  readonly shipping: AddressState
  readonly shipToDifferent: boolean
  readonly customerNote: string
  readonly account: AccountForm
  readonly paymentMethod: string
  /** Payment fields beside the method: saved payment method, wish to save, tokens. */
  readonly payment: PaymentInput
  /** Intention of the page; a repeat of the form has the same. */
  readonly intention: string
  /** Package index → rate id. */
  readonly shippingMethod: Readonly<Record<string, string>>
  /** `asked`: the page had the checkbox; `accepted`: it was checked. */
  readonly terms: { readonly asked: boolean; readonly accepted: boolean }
  /** Total beside the button, in minor units; null where the form has none. */
  readonly seenTotal: number | null
  /** Currency of that total; null where the form has none. */
  readonly seenCurrency: string | null
  /** Faults of the addresses; those of shipping count only for a different shipping address. */
  readonly addressFaults: Readonly<Record<AddressKind, readonly FormFault[]>>
}

/** A form fault as a code, localized by the web. `field` is the id of the form's field. */
export type FormFault =
  | {
      readonly code: 'address'
      readonly field: string
      readonly kind: AddressKind
      readonly label: string
      readonly fault: AddressFault
    }
  | { readonly code: 'account'; readonly field: string; readonly reason: OpenRefusal }
  | { readonly code: 'log-in-first' }
  | { readonly code: 'terms'; readonly field: 'terms' }
  | { readonly code: 'shipping-country' }
  | { readonly code: 'shipping-destination'; readonly country: string }
  | { readonly code: 'shipping-method' }
  | { readonly code: 'payment-method' }
  /** Nothing is due, and a product requires a payment method for later charges. */
  | { readonly code: 'keep-method' }

const maxLength = 200
/** Longer than any valid email: a truncated one could belong to another person. */
const uncutEmail = 500

/** Parses the fields of a posted checkout form and sanitizes the addresses; unknown fields are ignored. */
export function readCheckoutForm(
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

/** Validates a form and returns all faults, in the order of the fields. */
export async function checkoutFaults(
  tools: Pick<Tools, 'settings' | 'breachedPasswords' | 'log' | 'terms'>,
  form: CheckoutForm,
  facts: {
    needsShipping: boolean
    /** Null for a logged-in customer. */
    account: AccountOffer | null
    /** Every package has a chosen rate. */
    shippingChosen: boolean
    needsPayment: boolean
    methods: readonly PaymentMethodFacts[]
  },
): Promise<FormFault[]> {
  const { settings } = tools
  const faults = [...form.addressFaults.billing]
  if (facts.needsShipping && form.shipToDifferent) faults.push(...form.addressFaults.shipping)
  if (facts.account) faults.push(...(await accountFaults(tools, facts.account, form)))
  if (tools.terms() && !form.terms.accepted) faults.push({ code: 'terms', field: 'terms' })
  // A refused billing country is not reported again as shipping country.
  const refused = faults.some((fault) => fault.code === 'address' && fault.fault.reason === 'country-not-offered')
  if (facts.needsShipping && !refused) {
    const { country } = form.shipping
    if (country === '') faults.push({ code: 'shipping-country' })
    else if (!shipsTo(settings, country)) faults.push({ code: 'shipping-destination', country })
    else if (!facts.shippingChosen) faults.push({ code: 'shipping-method' })
  }
  if (facts.needsPayment && !facts.methods.some(({ id }) => id === form.paymentMethod)) {
    faults.push({ code: 'payment-method' })
  }
  return faults
}

/** Returns the session state with the form's input, so that totals follow it and no input is lost. */
export function withForm(state: SessionState, form: CheckoutForm): SessionState {
  const next: SessionState = {
    ...state,
    billing: form.billing,
    shipping: form.shipping,
    shipToDifferent: form.shipToDifferent,
    customerNote: form.customerNote,
    newAccount: { wanted: form.account.wanted, username: form.account.username },
    paymentMethod: form.paymentMethod || state.paymentMethod,
    calculatedShipping: true,
  }
  return JSON.stringify(next) === JSON.stringify(state) ? state : next
}
