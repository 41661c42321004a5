import { termsVersionField } from '#contract/checkout/hooks.ts'
import type { StoreCheckoutInput } from '#contract/checkout/store-checkout.ts'
import { isProviderMethod, paymentFields } from '#contract/payments/constants.ts'
import type { SessionState } from '#shop/customers/sessions/session-state.ts'
import { StoreError } from '../shared/store-error.ts'
import { addressFields } from '../shared/store-values.ts'

/** Additional field with the accepted version of the terms, or true for the current one. */
export const termsField = 'vitrine/terms'
/** Additional field with the user name of a new account, in shops that ask for one. */
export const usernameField = 'vitrine/username'

/**
 * Maps a posted checkout to the fields of the checkout form, which the first stage parses. Addresses are those of the
 * session, where `saveAddresses` has merged the posted ones.
 * @throws StoreError where the terms are refused
 */
export function checkoutFields(input: StoreCheckoutInput, state: SessionState): Record<string, unknown> {
  const terms = input.additional_fields[termsField]
  if (terms === false) {
    const message = 'Please accept the terms and conditions to place your order.'
    throw new StoreError(400, 'woocommerce_rest_checkout_terms_not_accepted', message)
  }
  const method = input.payment_method ?? state.paymentMethod
  const username = input.additional_fields[usernameField]
  return {
    ...addressFields('billing', state.billing),
    ...addressFields('shipping', state.shipping),
    ship_to_different_address: state.shipToDifferent ? '1' : '',
    order_comments: input.customer_note ?? state.customerNote,
    createaccount: input.create_account ? '1' : '',
    account_password: input.customer_password,
    account_username: typeof username === 'string' ? username : '',
    payment_method: method,
    ...paymentDataFields(method, input.payment_data),
    // The client's own page shows the terms; the call is the press on its button.
    terms: '1',
    'terms-field': '1',
    [termsVersionField]: terms,
  }
}

/**
 * Returns the fields of a payment method. Clients of the public interface have names of their own for a saved payment
 * method and the wish to save one.
 */
export function paymentDataFields(method: string, data: StoreCheckoutInput['payment_data']): Record<string, string> {
  const fields = Object.fromEntries(data.map(({ key, value }) => [key, value === null ? '' : String(value)]))
  if (!isProviderMethod(method)) return {}
  const names = paymentFields(method)
  const { token, [`wc-${method}-new-payment-method`]: save, isSavedToken, ...own } = fields
  return {
    ...own,
    ...(token !== undefined && isSavedToken !== 'false' ? { [names.kept]: token } : {}),
    ...(save === undefined ? {} : { [names.save]: save }),
  }
}

/** Reports whether the client confirms a card in PayPal's fields itself: `{key: 'in_page', value: true}`. */
export const isInPage = (data: StoreCheckoutInput['payment_data']): boolean =>
  data.some(({ key, value }) => key === 'in_page' && ![false, null, '', '0', 'false', 0].includes(value))
