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

/** What was posted from the checkout form, trimmed and cut; nothing of it is checked yet. */
export type CheckoutForm = {
  readonly billing: AddressState
  /** A copy of billing unless another address was wanted. */
  readonly shipping: AddressState
  readonly shipToDifferent: boolean
  readonly customerNote: string
  readonly account: AccountForm
  readonly paymentMethod: string
  /** The means beside the method: what is kept, what is to be kept, tokens. */
  readonly payment: PaymentInput
  /** The press on "place order" that the page was made for; a repeat of the form names the same. */
  readonly intention: string
  /** Package index → rate id. */
  readonly shippingMethod: Readonly<Record<string, string>>
  /** The tick box was on the page, and it was ticked. */
  readonly terms: { readonly asked: boolean; readonly accepted: boolean }
  /** The total that stood beside the button, in minor units; null for a form that does not say. */
  readonly seenTotal: number | null
  /** The currency of that total; null for a form that does not say. */
  readonly seenCurrency: string | null
  /** What is wrong with the addresses; those of shipping count only where something is shipped elsewhere. */
  readonly addressFaults: Readonly<Record<AddressKind, readonly FormFault[]>>
}

/** A fault of a form in codes; the web turns it into words. `field` is the id of the form's field. */
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
  /** Nothing is due, and something is bought only with a means that can be charged later. */
  | { readonly code: 'keep-method' }

const longest = 200
/** More than an address may have: one that is cut would be somebody else's. */
const uncutEmail = 500

/** Reads the fields of a posted checkout form and cleans the addresses; what has another name is left out. */
export function readCheckoutForm(
  { settings }: Pick<Tools, 'settings'>,
  fields: Readonly<Record<string, unknown>>,
): CheckoutForm {
  const text = (name: string, limit = longest) => textIn(fields, name, limit)
  const billing = postedAddress({ settings }, 'billing', fields)
  const shipping = postedAddress({ settings }, 'shipping', fields)
  const shipToDifferent = ticked(fields.ship_to_different_address)
  return {
    billing: billing.values,
    shipToDifferent,
    shipping: shipToDifferent ? shipping.values : billing.values,
    customerNote: visibleText(text('order_comments', 2000)),
    account: {
      wanted: ticked(fields.createaccount),
      username: text('account_username', 60),
      // As it was typed: blanks may belong to it. One too long to be one is still too long when it is cut.
      password: typeof fields.account_password === 'string' ? fields.account_password.slice(0, 600) : '',
    },
    paymentMethod: text('payment_method', 40),
    payment: readPaymentInput(fields, text('payment_method', 40)),
    intention: text('intention', 80),
    shippingMethod: shippingMethodsIn(fields),
    terms: { asked: fields['terms-field'] !== undefined, accepted: ticked(fields.terms) },
    seenCurrency: text('seen_currency', 20) || null,
    seenTotal: /^\d{1,15}$/.test(text('seen_total', 20)) ? Number(text('seen_total', 20)) : null,
    addressFaults: { billing: billing.faults, shipping: shipping.faults },
  }
}

/** The address of one kind in a posted form, cleaned, and what is wrong with it. */
export function postedAddress(
  { settings }: Pick<Tools, 'settings'>,
  kind: AddressKind,
  fields: Readonly<Record<string, unknown>>,
): { values: AddressState; faults: FormFault[] } {
  const posted = Object.fromEntries(
    Object.keys(emptyAddress).map((key) => [
      key,
      textIn(fields, `${kind}_${key}`, key === 'email' ? uncutEmail : longest),
    ]),
  )
  const country = (posted.country ?? '').toUpperCase()
  const printedFor = textIn(fields, printedForField(`${kind}_state`), longest)
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

/** A posted text, trimmed and cut, where that is in the middle of a sign without its half; '' for anything else. */
function textIn(fields: Readonly<Record<string, unknown>>, name: string, limit: number): string {
  const value = fields[name]
  return typeof value === 'string' ? value.trim().slice(0, limit).toWellFormed() : ''
}

/** The map `shipping_method[index]`, nested as forms send it or flat as scripts do. */
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

function ticked(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value !== '0' && value !== 'false'
}

/** What is wrong with a form, all of it, in the order of the fields. */
export async function checkoutFaults(
  tools: Pick<Tools, 'settings' | 'breachedPasswords' | 'log' | 'terms'>,
  form: CheckoutForm,
  facts: {
    needsShipping: boolean
    /** Null for somebody who is logged in. */
    account: AccountOffer | null
    /** Every package has a rate that was chosen. */
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
  // A country that was refused where it was typed is not refused once more as the place of a parcel.
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

/** The visitor's session with what the form says, so that totals follow it and nothing typed is lost. */
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
