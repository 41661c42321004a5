import type { AddressFault } from '#domain/addresses/address-check.ts'
import type { AddressKind } from '#domain/addresses/address-fields.ts'
import type { AddressState, SessionState } from '../customers/sessions/session-state.ts'
import type { PaymentInput } from '../payments/operation/payment-source.ts'
import type { AccountForm, OpenRefusal } from './checkout-account.ts'

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
