import { urls } from '#contract/shared/urls.ts'
import { type AddressKind, autocompleteOf, fieldsFor } from '#domain/addresses/address-fields.ts'
import { message } from '#domain/translation/message.ts'
import { countryChoices, startPlace, stateChoices } from '../addresses/allowed-countries.ts'
import type { CartFacts } from '../cart/cart-facts.ts'
import type { AddressState } from '../customers/sessions/session-state.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import type { Tools } from '../shared/tools.ts'
import { accountNeeded, accountOffer } from './checkout-account.ts'
import type { CheckoutFacts, FieldFacts } from './checkout-facts.ts'
import { intentionOf } from './checkout-idempotency-key.ts'

/** Returns the facts of the checkout for its page and fragments. */
export function describeCheckout(
  tools: Tools,
  session: VisitSession,
  cart: CartFacts,
  methods: CheckoutFacts['methods'],
): CheckoutFacts {
  const { state } = session
  const { settings } = tools
  return {
    cart,
    billing: addressFields(tools, 'billing', startAddress(tools, 'billing', state.billing)),
    shipping: addressFields(tools, 'shipping', startAddress(tools, 'shipping', state.shipping)),
    order: [noteField(state.customerNote)],
    shipToDifferent: state.shipToDifferent,
    account: describeAccount(tools, session, cart.needsPayment && cart.totals.total.minor === 0),
    methods,
    methodsChangeTotal: settings.fees.some(({ when }) => when.paymentMethod !== undefined),
    terms: tools.terms() !== null,
    termsAccepted: false,
    intention: intentionOf(session, cart.hash),
    ready: state.approvedWallet
      ? { walletOrderId: state.approvedWallet, cancelUrl: `${urls.walletCancel()}?token=${state.approvedWallet}` }
      : null,
  }
}

function describeAccount(tools: Tools, session: VisitSession, keeps: boolean): CheckoutFacts['account'] {
  const offer = keeps ? accountNeeded(accountOffer(tools, session)) : accountOffer(tools, session)
  if (!offer) return null
  const { wanted, username } = session.state.newAccount
  const logInForm = tools.settings.accounts.logInAtCheckout || offer.kind === 'log-in-first'
  return { offer, wanted, username, logInForm, refusedLogIn: session.state.refusedLogIn }
}

/** Prefills an empty address with the shop's default location. */
function startAddress({ settings }: Tools, kind: AddressKind, address: AddressState): AddressState {
  return address.country !== '' ? address : { ...address, ...startPlace(settings, kind) }
}

export function addressFields({ settings }: Tools, kind: AddressKind, address: AddressState): FieldFacts[] {
  return fieldsFor(kind, address.country, settings.base.country, settings.addressFields).map((field) => ({
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
      field.type === 'country'
        ? countryChoices(settings, kind)
        : field.type === 'state'
          ? stateChoices(address.country, settings.language)
          : [],
    ...(field.type === 'state' ? { printedFor: address.country } : {}),
  }))
}

function noteField(value: string): FieldFacts {
  return {
    id: 'order_comments',
    label: message('Order notes'),
    labelHidden: false,
    placeholder: message('Notes about your order, e.g. special notes for delivery.'),
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
