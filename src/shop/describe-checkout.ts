import { urls } from '#contract/urls.ts'
import { type AddressKind, autocompleteOf, fieldsFor } from '#domain/addresses/address-fields.ts'
import { countryCodes } from '#domain/addresses/countries.ts'
import { statesOf } from '#domain/addresses/states.ts'
import type { CartFacts } from './cart-facts.ts'
import type { CheckoutFacts, FieldFacts } from './checkout-facts.ts'
import { intentionOf } from './intention.ts'
import { paymentMethods } from './payment-methods.ts'
import type { AddressState } from './session-state.ts'
import type { Tools } from './tools.ts'
import type { VisitSession } from './visit-session.ts'

/** The checkout as its page and its fragments show it. */
export function describeCheckout(tools: Tools, session: VisitSession, cart: CartFacts): CheckoutFacts {
  const { state } = session
  const { settings } = tools
  return {
    cart,
    billing: addressFields(tools, 'billing', startAddress(tools, state.billing)),
    shipping: addressFields(tools, 'shipping', startAddress(tools, state.shipping)),
    order: [noteField(state.customerNote)],
    shipToDifferent: state.shipToDifferent,
    methods: paymentMethods(tools, state.paymentMethod),
    terms: settings.termsPage,
    termsAccepted: false,
    intention: intentionOf(session, cart.hash),
    ready: state.approvedWallet
      ? { walletOrderId: state.approvedWallet, cancelUrl: `${urls.walletCancel()}?token=${state.approvedWallet}` }
      : null,
  }
}

/** A visitor who has typed nothing starts in the shop's own country, where most customers are. */
function startAddress({ settings }: Tools, address: AddressState): AddressState {
  if (address.country !== '' || settings.defaultLocation === 'none') return address
  return { ...address, country: settings.base.country, state: settings.base.state }
}

export function addressFields({ settings }: Tools, kind: AddressKind, address: AddressState): FieldFacts[] {
  return fieldsFor(kind, address.country, settings.base.country).map((field) => ({
    id: `${kind}_${field.key}`,
    label: field.label,
    labelHidden: field.labelHidden,
    placeholder: field.placeholder,
    type: field.type,
    required: field.required,
    hidden: field.hidden,
    priority: field.priority,
    rowClasses: field.class,
    validate: [...(field.required ? (['required'] as const) : []), ...field.validate],
    autocomplete: autocompleteOf(kind, field),
    value: address[field.key],
    options:
      field.type === 'country' ? countryChoices(settings) : field.type === 'state' ? stateChoices(address.country) : [],
  }))
}

function noteField(value: string): FieldFacts {
  return {
    id: 'order_comments',
    label: 'Order notes',
    labelHidden: false,
    placeholder: 'Notes about your order, e.g. special notes for delivery.',
    type: 'textarea',
    required: false,
    hidden: false,
    priority: 10,
    rowClasses: ['notes'],
    validate: [],
    autocomplete: '',
    value,
    options: [],
  }
}

const choices = new Map<string, { value: string; label: string }[]>()

/** The countries that the shop sells to, by name in the shop's language. Made once: sorting by language rules is slow. */
export function countryChoices({ language, sellTo }: Tools['settings']): { value: string; label: string }[] {
  const key = `${language}|${sellTo.join()}`
  const made = choices.get(key)
  if (made) return made
  const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })
  const { compare } = new Intl.Collator(language)
  const list = countryCodes
    .filter((code) => sellTo.length === 0 || sellTo.includes(code))
    .map((value) => ({ value, label: display.of(value) ?? value }))
    .sort((a, b) => compare(a.label, b.label))
  choices.set(key, list)
  return list
}

export function stateChoices(country: string): { value: string; label: string }[] {
  return [...(statesOf(country) ?? [])].map(([value, label]) => ({ value, label }))
}
